// One thread goes through a map while another one erases from it.
// expect: race
#include <map>
#include <thread>

static std::map<int, int> map = {{1, 1}, {2, 2}, {3, 3}};
static int sum;

int main()
{
    std::thread a([] { map.erase(3); });
    for (auto it = map.find(1); it != map.end(); ++it)
        sum += it->second;
    a.join();
}
