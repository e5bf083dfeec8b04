// A static local is constructed once, and whoever comes second waits for the first.
// expect: ok
#include <cassert>
#include <thread>

static int constructed;

struct Service {
    int value;
    Service() : value(42) { constructed++; }
};

static Service &service()
{
    static Service the_one;
    return the_one;
}

int main()
{
    auto use = [] { assert(service().value == 42); };
    std::thread first(use), second(use);
    first.join();
    second.join();
    assert(constructed == 1);
}
