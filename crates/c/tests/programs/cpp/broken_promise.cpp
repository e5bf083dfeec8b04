// A promise that is destroyed without a value tells its future.
// expect: ok
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::future<int> future;
    {
        std::promise<int> promise;
        future = promise.get_future();
        std::thread thread([promise = std::move(promise)] {});
        thread.join();
    }
    bool broken = false;
    try {
        future.get();
    } catch (const std::future_error &error) {
        broken = error.code() == std::future_errc::broken_promise;
    }
    assert(broken);
}
