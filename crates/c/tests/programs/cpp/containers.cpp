// Containers that a mutex guards, and the standard's streams, which need none.
// expect: ok
#include <cassert>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

static std::mutex mutex;
static std::map<int, std::string> names;
static std::list<int> numbers;
static std::unordered_map<std::string, int> ids;

static void add(int number, const char *name)
{
    std::lock_guard<std::mutex> guard(mutex);
    names[number] = name;
    numbers.push_back(number);
    ids[name] = number;
}

int main()
{
    std::thread a([] { add(1, "one"); });
    std::thread b([] { add(2, "two"); });
    std::cout << "waiting\n";
    a.join();
    b.join();
    assert(names.size() == 2 && names[1] == "one" && ids["two"] == 2);
    numbers.sort();
    assert(numbers.front() == 1);
    names.erase(1);
    assert(names.begin()->second == "two");
}
