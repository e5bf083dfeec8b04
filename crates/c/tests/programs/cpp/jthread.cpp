// std::jthread: joined by its destructor, stopped by its token.
// expect: ok
// flags: -std=c++20
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main()
{
    std::atomic<bool> stopped{false};
    {
        std::jthread thread([&](std::stop_token token) {
            while (!token.stop_requested())
                std::this_thread::yield();
            stopped = true;
        });
    }
    assert(stopped);
}
