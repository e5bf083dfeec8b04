// std::thread, std::mutex and std::lock_guard.
// expect: ok
// model: mutex m; section m {} | section m {} | section m {}
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

int main()
{
    std::mutex lock;
    int counter = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&] {
            std::lock_guard<std::mutex> guard(lock);
            counter++;
        });
    for (auto &thread : threads)
        thread.join();
    assert(counter == 3);
}
