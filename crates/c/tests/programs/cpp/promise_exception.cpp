// An exception travels through a promise to the thread that asks.
// expect: ok
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

int main()
{
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread thread([&] {
        try {
            throw std::runtime_error("of the other thread");
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    });
    bool caught = false;
    try {
        future.get();
    } catch (const std::runtime_error &error) {
        caught = std::string(error.what()) == "of the other thread";
    }
    thread.join();
    assert(caught);
}
