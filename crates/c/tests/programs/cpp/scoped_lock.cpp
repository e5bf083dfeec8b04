// std::scoped_lock of two mutexes against a thread that takes one of them.
// expect: ok
// flags: -std=c++17
#include <cassert>
#include <mutex>
#include <thread>

int main()
{
    std::mutex a, b;
    int x = 0, y = 0;
    std::thread both([&] {
        std::scoped_lock guard(a, b);
        x++;
        y++;
    });
    std::thread one([&] {
        std::lock_guard guard(b);
        y++;
    });
    both.join();
    one.join();
    assert(x == 1 && y == 2);
}
