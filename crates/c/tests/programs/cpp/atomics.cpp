// std::atomic of several types.
// expect: ok
// model: var c, p; c += 1; s = swap p, 1 | c += 1; s = swap p, 2
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
    std::atomic<int> counter{0};
    int a = 1, b = 2;
    std::atomic<int *> last{nullptr};
    auto run = [&](int *mine) {
        counter.fetch_add(1, std::memory_order_relaxed);
        last.exchange(mine);
    };
    std::thread first(run, &a), second(run, &b);
    first.join();
    second.join();
    assert(counter.load() == 2);
    assert(last.load() == &a || last.load() == &b);
}
