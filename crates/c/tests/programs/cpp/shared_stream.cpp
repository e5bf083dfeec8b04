// BUG: two threads write to one stream in memory.
// expect: race
#include <sstream>
#include <thread>

int main()
{
    std::ostringstream stream;
    std::thread other([&] { stream << 1.5; }); // found here
    stream << "text"; // found here
    other.join();
    return 0;
}
