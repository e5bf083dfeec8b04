// A thread that nobody joins initialises a static object, which is destroyed at the end if that came before.
// expect: assertion
#include <cassert>
#include <thread>

static int destroyed;

struct Object {
    ~Object() { destroyed = 1; }
    void use() {}
};

static void use()
{
    static Object object;
    object.use();
}

struct Global {
    ~Global() { assert(destroyed == 0); } // found here
};

static Global global;

int main()
{
    std::thread(use).detach();
    return 0;
}
