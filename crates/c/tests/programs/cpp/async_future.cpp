// std::async: results come back through futures.
// expect: ok
#include <cassert>
#include <future>

static int square(int n)
{
    return n * n;
}

int main()
{
    auto three = std::async(std::launch::async, square, 3);
    auto four = std::async(std::launch::async, square, 4);
    assert(three.get() + four.get() == 25);
}
