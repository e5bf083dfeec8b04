// BUG: the consumer waits without a predicate, and the notification may come before.
// expect: deadlock
#include <condition_variable>
#include <mutex>
#include <thread>

int main()
{
    std::mutex lock;
    std::condition_variable ready;
    std::thread consumer([&] {
        std::unique_lock<std::mutex> guard(lock);
        ready.wait(guard);
    });
    {
        std::lock_guard<std::mutex> guard(lock);
        ready.notify_one();
    }
    consumer.join();
}
