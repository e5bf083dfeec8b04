// std::barrier with a completion function.
// expect: ok
// flags: -std=c++20
#include <barrier>
#include <cassert>
#include <thread>

int main()
{
    int parts[2] = {0, 0}, sum = 0;
    auto complete = [&]() noexcept { sum = parts[0] + parts[1]; };
    std::barrier meeting(2, complete);
    auto run = [&](int i) {
        parts[i] = i + 1;
        meeting.arrive_and_wait();
        assert(sum == 3);
    };
    std::thread first(run, 0), second(run, 1);
    first.join();
    second.join();
}
