// BUG: in the destructor of a local variable, which pthread_exit calls.
// expect: assertion
#include <cassert>
#include <pthread.h>

struct Local {
    ~Local() { assert(false); } // found here
};

static void *thread(void *)
{
    Local local;
    pthread_exit(nullptr);
}

int main()
{
    pthread_t t;
    pthread_create(&t, nullptr, thread, nullptr);
    pthread_join(t, nullptr);
}
