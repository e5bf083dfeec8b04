// A condition variable that is woken by a request to stop.
// expect: ok
// flags: -std=c++20
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main()
{
    std::mutex lock;
    std::condition_variable_any changed;
    bool ready = false, given_up = false;
    {
        std::jthread thread([&](std::stop_token token) {
            std::unique_lock<std::mutex> guard(lock);
            if (!changed.wait(guard, token, [&] { return ready; }))
                given_up = true;
        });
    }
    assert(given_up);
}
