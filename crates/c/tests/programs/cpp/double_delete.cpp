// BUG: two threads delete what a static pointer has.
// expect: double-free
#include <atomic>
#include <thread>

static std::atomic<int *> shared{new int(1)};

int main()
{
    auto drop = [] {
        int *mine = shared.load();
        if (mine) {
            shared.store(nullptr);
            delete mine;
        }
    };
    std::thread first(drop), second(drop);
    first.join();
    second.join();
}
