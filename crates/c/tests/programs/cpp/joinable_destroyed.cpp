// BUG: a std::thread is destroyed without having been joined.
// expect: exception | abort
#include <thread>

int main()
{
    std::thread thread([] {});
}
