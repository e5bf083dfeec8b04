// BUG: an exception leaves a thread in one order of two.
// expect: exception
#include <atomic>
#include <stdexcept>
#include <thread>

int main()
{
    std::atomic<bool> ready{false};
    std::thread thread([&] {
        if (!ready)
            throw std::runtime_error("not ready"); // found here
    });
    ready = true;
    thread.join();
}
