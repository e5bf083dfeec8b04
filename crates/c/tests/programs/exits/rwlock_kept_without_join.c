// A writer and a reader that keep their lock, nobody joins them.
// expect: assertion
// classes: 2 (either thread gets the lock)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writes(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    return unused;
}

static void *reads(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    assert(0); // found here
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writes, NULL);
    pthread_create(&b, NULL, reads, NULL);
    return 0;
}
