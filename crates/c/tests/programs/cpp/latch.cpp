// std::latch: main goes on when both threads have counted down.
// expect: ok
// flags: -std=c++20
#include <cassert>
#include <latch>
#include <thread>

int main()
{
    std::latch done(2);
    int a = 0, b = 0;
    std::thread first([&] {
        a = 1;
        done.count_down();
    });
    std::thread second([&] {
        b = 2;
        done.count_down();
    });
    done.wait();
    assert(a + b == 3);
    first.join();
    second.join();
}
