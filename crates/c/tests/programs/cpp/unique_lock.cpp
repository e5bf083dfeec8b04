// std::unique_lock, moved and given back early; try_lock.
// expect: ok
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int value;

static std::unique_lock<std::mutex> locked()
{
    std::unique_lock<std::mutex> guard(lock);
    value++;
    return guard;
}

int main()
{
    std::thread thread([] {
        auto guard = locked();
        assert(guard.owns_lock());
        guard.unlock();
    });
    std::unique_lock<std::mutex> guard(lock, std::try_to_lock);
    if (guard) {
        value++;
        guard.unlock();
    } else {
        auto later = locked();
    }
    thread.join();
    assert(value == 2);
}
