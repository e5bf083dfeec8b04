// std::atomic::wait and notify_one.
// expect: ok
// flags: -std=c++20
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
    std::atomic<int> flag{0};
    int data = 0;
    std::thread waiter([&] {
        flag.wait(0);
        assert(data == 42);
    });
    data = 42;
    flag = 1;
    flag.notify_one();
    waiter.join();
}
