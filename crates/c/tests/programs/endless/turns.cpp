// Two threads that take turns for ever by a condition variable, in C++.
// expect: ok
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static int turn, inside;

static void run(int me)
{
    for (;;) {
        std::unique_lock<std::mutex> lock(m);
        changed.wait(lock, [me] { return turn == me; });
        assert(inside++ == 0);
        inside--;
        turn = 1 - me;
        changed.notify_all();
    }
}

int main()
{
    std::thread other(run, 1);
    run(0);
}
