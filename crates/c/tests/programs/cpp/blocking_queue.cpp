// A blocking queue as a template: one producer, one consumer, closed at the end.
// expect: ok
// flags: -std=c++17
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

template <class T> class BlockingQueue {
  public:
    void push(T item)
    {
        std::lock_guard<std::mutex> guard(lock_);
        items_.push_back(std::move(item));
        changed_.notify_one();
    }

    void close()
    {
        std::lock_guard<std::mutex> guard(lock_);
        closed_ = true;
        changed_.notify_all();
    }

    std::optional<T> pop()
    {
        std::unique_lock<std::mutex> guard(lock_);
        changed_.wait(guard, [this] { return closed_ || !items_.empty(); });
        if (items_.empty())
            return std::nullopt;
        T item = std::move(items_.front());
        items_.pop_front();
        return item;
    }

  private:
    std::mutex lock_;
    std::condition_variable changed_;
    std::deque<T> items_;
    bool closed_ = false;
};

int main()
{
    BlockingQueue<int> queue;
    int sum = 0;
    std::thread consumer([&] {
        while (auto item = queue.pop())
            sum += *item;
    });
    queue.push(1);
    queue.push(2);
    queue.close();
    consumer.join();
    assert(sum == 3);
}
