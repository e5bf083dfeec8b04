// std::packaged_task run by another thread.
// expect: ok
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::packaged_task<int(int)> task([](int n) { return n + 1; });
    auto future = task.get_future();
    std::thread thread(std::move(task), 41);
    assert(future.get() == 42);
    thread.join();
}
