// An error-checking mutex tells the thread that holds it so at once, also when that would wait for a time only.
// expect: ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock;

static void *thread(void *unused)
{
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    int result = pthread_mutex_timedlock(&lock, &soon);
    if (result == 0) {
        assert(pthread_mutex_timedlock(&lock, &soon) == EDEADLK);
        assert(pthread_mutex_trylock(&lock) == EBUSY);
        pthread_mutex_unlock(&lock);
    } else {
        assert(result == ETIMEDOUT);
    }
    return unused;
}

int main(void)
{
    pthread_mutexattr_t checking;
    pthread_mutexattr_init(&checking);
    pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &checking);
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    pthread_mutex_destroy(&lock);
    return 0;
}
