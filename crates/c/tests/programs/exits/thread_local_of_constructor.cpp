// A constructor uses a thread-local object of main: main finds it, and its destructor runs at the end.
// expect: ok
#include <cassert>
#include <thread>

static int destroyed;

struct Local {
    int number = 1;
    ~Local() { destroyed++; }
};

static thread_local Local local;

struct Global {
    Global() { local.number = 7; }
    ~Global() { assert(destroyed == 1); }
};

static Global global;

int main()
{
    assert(local.number == 7);
    std::thread([] {}).join();
    return 0;
}
