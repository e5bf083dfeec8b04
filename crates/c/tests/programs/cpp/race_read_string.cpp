// One thread asks how long a string is that another one makes longer.
// expect: race
#include <string>
#include <thread>

static std::string text = "a string that is too long to be within the object";
static bool is_long;

int main()
{
    std::thread a([] { text.push_back('a'); });
    is_long = text.find('z') != std::string::npos;
    a.join();
}
