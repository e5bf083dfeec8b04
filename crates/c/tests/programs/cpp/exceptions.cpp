// Exceptions thrown and caught by two threads at the same time, with a switch inside the handler.
// expect: ok
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

static std::atomic<int> x;

static void run(const std::string &name)
{
    try {
        throw std::runtime_error(name);
    } catch (const std::exception &error) {
        x++;
        assert(error.what() == name);
        try {
            throw 5;
        } catch (int number) {
            x++;
            assert(number == 5);
        }
        assert(error.what() == name);
    }
    assert(std::uncaught_exceptions() == 0);
}

int main()
{
    std::thread first(run, "first"), second(run, "second");
    first.join();
    second.join();
    assert(x == 4);
}
