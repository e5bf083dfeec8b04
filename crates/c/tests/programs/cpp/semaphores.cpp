// std::counting_semaphore and std::binary_semaphore: items are handed over, and thanked for.
// expect: ok
// flags: -std=c++20
#include <cassert>
#include <semaphore>
#include <thread>

int main()
{
    std::counting_semaphore<4> items(0);
    std::binary_semaphore thanks(0);
    int made = 0;
    std::thread producer([&] {
        made = 1;
        items.release();
        thanks.acquire();
        assert(made == 2);
    });
    items.acquire();
    assert(made == 1);
    made = 2;
    thanks.release();
    producer.join();
}
