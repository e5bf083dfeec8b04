// A lock is given back when an exception leaves its scope.
// expect: ok
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock;
static int attempts;

static void attempt()
{
    std::lock_guard<std::mutex> guard(lock);
    attempts++;
    throw std::logic_error("always");
}

static void run()
{
    try {
        attempt();
    } catch (const std::logic_error &) {
    }
}

int main()
{
    std::thread first(run), second(run);
    first.join();
    second.join();
    assert(attempts == 2);
}
