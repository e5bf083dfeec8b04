// Each thread has a stream of its own, and all may write to a standard one.
// expect: ok
#include <cassert>
#include <iostream>
#include <sstream>
#include <thread>

static void write_all(int number)
{
    std::ostringstream stream;
    stream << number << ' ' << 0.5 << ' ' << 2.5L << std::hex << ' ' << 255 << " end";
    assert(stream.str() == std::to_string(number) + " 0.5 2.5 ff end");
    std::cout << number << std::endl;
}

int main()
{
    std::thread one(write_all, 1), other(write_all, 2);
    one.join();
    other.join();
    return 0;
}
