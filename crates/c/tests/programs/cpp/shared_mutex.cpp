// std::shared_mutex: readers share, the writer is alone.
// expect: ok
// flags: -std=c++17
// model: rwlock l; write_lock l; write_unlock l | read_lock l; read_unlock l | read_lock l; read_unlock l
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main()
{
    std::shared_mutex lock;
    int a = 0, b = 0;
    std::thread writer([&] {
        std::unique_lock guard(lock);
        a = 1;
        b = 1;
    });
    auto read = [&] {
        std::shared_lock guard(lock);
        assert(a == b);
    };
    std::thread first(read), second(read);
    writer.join();
    first.join();
    second.join();
}
