// Random numbers are the same in every execution, also those of the device for them.
// expect: ok
// classes: 2 (who writes first)
#include <atomic>
#include <random>
#include <thread>

int main()
{
    std::random_device device;
    std::atomic<unsigned> number{0};
    unsigned first = device();
    std::thread thread([&] { number = 1; });
    number = first;
    thread.join();
}
