// BUG: a detached thread works on an object that main has deleted.
// expect: use-after-free | race
#include <memory>
#include <thread>

int main()
{
    auto number = std::make_unique<int>(0);
    std::thread([pointer = number.get()] { *pointer = 1; }).detach();
    number.reset();
}
