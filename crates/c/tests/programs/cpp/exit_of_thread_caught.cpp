// BUG: what leaves the functions of a thread that calls pthread_exit is caught, and not thrown on: the C library aborts.
// expect: abort
#include <pthread.h>

static void *thread(void *)
{
    try {
        pthread_exit(nullptr);
    } catch (...) {
    }
    return nullptr;
}

int main()
{
    pthread_t t;
    pthread_create(&t, nullptr, thread, nullptr);
    pthread_join(t, nullptr);
}
