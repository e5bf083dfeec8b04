// BUG: two lock_guards in opposite order.
// expect: deadlock
// model: mutex a, b; lock a; lock b; unlock b; unlock a | lock b; lock a; unlock a; unlock b
#include <mutex>
#include <thread>

int main()
{
    std::mutex a, b;
    std::thread first([&] {
        std::lock_guard<std::mutex> outer(a);
        std::lock_guard<std::mutex> inner(b);
    });
    std::thread second([&] {
        std::lock_guard<std::mutex> outer(b);
        std::lock_guard<std::mutex> inner(a);
    });
    first.join();
    second.join();
}
