// Thread-local objects are destroyed at the end of each thread, and those of main before global objects; all executions.
// expect: ok
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> alive;

struct Global {
    ~Global() { assert(alive == 0); }
};

static Global global;

struct Local {
    Local() { alive++; }
    ~Local() { alive--; }
    void use() {}
};

static thread_local Local local;

int main()
{
    local.use();
    std::thread a([] { local.use(); });
    std::thread b([] { local.use(); });
    a.join();
    b.join();
    assert(alive == 1);
    return 0;
}
