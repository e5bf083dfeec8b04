// A thread that holds a reader-writer lock to write is told so when it asks for it again, as by the C library of Linux.
// expect: ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *thread(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    struct timespec soon;
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    pthread_rwlock_wrlock(&lock);
    assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    assert(pthread_rwlock_timedrdlock(&lock, &soon) == EDEADLK);
    assert(pthread_rwlock_timedwrlock(&lock, &soon) == EDEADLK);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    x++;
    pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
