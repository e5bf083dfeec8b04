// std::condition_variable::wait_for may time out, and the program is ready for that.
// expect: ok
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main()
{
    using namespace std::chrono_literals;
    std::mutex lock;
    std::condition_variable ready;
    bool done = false;
    std::thread setter([&] {
        std::lock_guard<std::mutex> guard(lock);
        done = true;
        ready.notify_one();
    });
    {
        std::unique_lock<std::mutex> guard(lock);
        bool in_time = ready.wait_for(guard, 10ms, [&] { return done; });
        assert(in_time == done);
    }
    setter.join();
}
