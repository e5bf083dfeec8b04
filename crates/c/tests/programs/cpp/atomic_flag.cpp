// A spin lock over std::atomic_flag that is BasicLockable.
// expect: ok
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class SpinLock {
  public:
    void lock()
    {
        while (flag_.test_and_set(std::memory_order_acquire))
            std::this_thread::yield();
    }
    void unlock() { flag_.clear(std::memory_order_release); }

  private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

int main()
{
    SpinLock lock;
    int counter = 0;
    auto add = [&] {
        std::lock_guard<SpinLock> guard(lock);
        counter++;
    };
    std::thread first(add), second(add);
    first.join();
    second.join();
    assert(counter == 2);
}
