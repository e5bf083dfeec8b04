// Three threads that take turns by a condition variable, and wake one that may not be the next.
// expect: deadlock
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static int turn;

static void run(int me)
{
    for (;;) {
        std::unique_lock<std::mutex> lock(m);
        changed.wait(lock, [me] { return turn == me; });
        turn = (me + 1) % 3;
        changed.notify_one();
    }
}

int main()
{
    std::thread second(run, 1), third(run, 2);
    run(0);
}
