// std::condition_variable with a predicate.
// expect: ok
// flags: -std=c++17
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

int main()
{
    std::mutex lock;
    std::condition_variable ready;
    std::optional<int> item;
    std::thread consumer([&] {
        std::unique_lock<std::mutex> guard(lock);
        ready.wait(guard, [&] { return item.has_value(); });
        assert(*item == 42);
    });
    {
        std::lock_guard<std::mutex> guard(lock);
        item = 42;
    }
    ready.notify_one();
    consumer.join();
}
