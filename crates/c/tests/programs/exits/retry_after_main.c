// Threads that try again after main has returned: an attempt that failed is no part of an execution, so that there is one for each
// order in which the two take the lock.
// expect: ok
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int lock;

static void *thread(void *unused)
{
    while (atomic_exchange(&lock, 1))
        ;
    atomic_store(&lock, 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_create(&t, NULL, thread, NULL);
    return 0;
}
