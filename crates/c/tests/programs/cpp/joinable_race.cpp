// Whether a thread can be joined is a look at the object that stands for it, which a join changes.
// expect: race
#include <thread>

static std::thread worker([] {});

int main()
{
    std::thread other([] {
        volatile bool is_joinable = worker.joinable();
        (void)is_joinable;
    });
    worker.join();
    other.join();
}
