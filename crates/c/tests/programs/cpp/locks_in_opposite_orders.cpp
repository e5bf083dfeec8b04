// std::lock tries, gives back and tries again. Two threads that name the same mutexes in opposite orders can fail because of each
// other any number of times; rounds of both that lead nowhere are no part of an execution.
// expect: ok
// flags: -std=c++17
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int x;

int main()
{
    std::thread other([] {
        std::scoped_lock both(a, b);
        x++;
    });
    {
        std::scoped_lock both(b, a);
        x++;
    }
    other.join();
    assert(x == 2);
}
