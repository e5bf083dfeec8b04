// A std::shared_ptr copied by two threads; the object dies with the last copy.
// expect: ok
#include <cassert>
#include <memory>
#include <thread>

static int destroyed;

struct Object {
    int value = 42;
    ~Object() { destroyed++; }
};

int main()
{
    auto object = std::make_shared<Object>();
    auto use = [](std::shared_ptr<Object> mine) { assert(mine->value == 42); };
    std::thread first(use, object), second(use, object);
    object.reset();
    first.join();
    second.join();
    assert(destroyed == 1);
}
