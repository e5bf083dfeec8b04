// std::recursive_mutex and std::timed_mutex.
// expect: ok
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

int main()
{
    using namespace std::chrono_literals;
    std::recursive_mutex recursive;
    std::timed_mutex timed;
    int inside = 0, got = 0;
    auto run = [&] {
        {
            std::lock_guard<std::recursive_mutex> outer(recursive);
            std::lock_guard<std::recursive_mutex> inner(recursive);
            inside++;
        }
        if (timed.try_lock_for(5ms)) {
            got++;
            timed.unlock();
        }
    };
    std::thread first(run), second(run);
    first.join();
    second.join();
    assert(inside == 2 && got >= 0 && got <= 2);
}
