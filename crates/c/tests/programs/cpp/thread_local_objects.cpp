// thread_local objects are constructed in each thread that uses them, and destroyed when it ends.
// expect: ok
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> alive, made;

struct Counted {
    int value = 1;
    Counted() { alive++, made++; }
    ~Counted() { alive--; }
};

static thread_local Counted counted;

int main()
{
    auto use = [] { counted.value++; };
    std::thread first(use), second(use);
    first.join();
    second.join();
    assert(made == 2 && alive == 0);
}
