// Two threads lock a mutex and keep it, nobody joins them: whichever is second waits, and the program ends.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *keeps(void *unused)
{
    pthread_mutex_lock(&m);
    return unused;
}

static void *fails(void *unused)
{
    pthread_mutex_lock(&m);
    assert(0); // found here
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, keeps, NULL);
    pthread_create(&b, NULL, fails, NULL);
    return 0;
}
