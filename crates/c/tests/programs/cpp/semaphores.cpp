// std::counting_semaphore and std::binary_semaphore.
// expect: ok
// flags: -std=c++20
#include <cassert>
#include <semaphore>
#include <thread>

int main()
{
    std::counting_semaphore<4> items(0);
    std::binary_semaphore lock(1);
    int made = 0;
    auto produce = [&] {
        lock.acquire();
        made++;
        lock.release();
        items.release();
    };
    std::thread first(produce), second(produce);
    items.acquire();
    items.acquire();
    assert(made == 2);
    first.join();
    second.join();
}
