// Condition variables in a function that is called twice: the second is where the first was destroyed.
// expect: ok
// flags: -std=c++17
// classes: 4 (in each of two calls, the caller waits for the signal or comes after it)
#include <condition_variable>
#include <mutex>
#include <thread>

static void meet()
{
    std::mutex lock;
    std::condition_variable changed;
    bool ready = false;
    std::thread other([&] {
        std::lock_guard guard(lock);
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock guard(lock);
        changed.wait(guard, [&] { return ready; });
    }
    other.join();
}

int main()
{
    meet();
    meet();
}
