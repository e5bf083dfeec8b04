// Objects with constructors and destructors at namespace scope: containers are as new in every run, and are no leak.
// expect: ok
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::map<std::string, int> counts{{"start", 1}};

static void count(const std::string &name)
{
    std::lock_guard<std::mutex> guard(lock);
    counts[name]++;
}

int main()
{
    assert(counts.size() == 1);
    std::thread first(count, "a"), second(count, "a");
    first.join();
    second.join();
    assert(counts.at("a") == 2);
}
