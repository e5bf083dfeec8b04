// The destructor of a global object uses what a thread uses that nobody joined.
// expect: race
#include <thread>

static int shared;

struct Global {
    ~Global() { shared++; } // found here
};

static Global global;

int main()
{
    std::thread([] { shared++; }).detach();
    return 0;
}
