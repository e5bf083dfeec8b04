// Two threads append to one string.
// expect: race
#include <string>
#include <thread>

static std::string text;

int main()
{
    std::thread a([] { text += "a"; }); // found here
    std::thread b([] { text += "b"; });
    a.join();
    b.join();
}
