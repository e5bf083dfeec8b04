// Two threads that take a std::binary_semaphore and give it back. In libstdc++ 12 an acquire remembers the count from before it
// spun, and sleeps if the count is that again: a release in between is lost, and the thread sleeps for ever.
// expect: deadlock | ok
// flags: -std=c++20
// options: --max-executions 100000
#include <semaphore>
#include <thread>

int main()
{
    std::binary_semaphore lock(1);
    std::thread other([&] {
        lock.acquire();
        lock.release();
    });
    lock.acquire();
    lock.release();
    other.join();
}
