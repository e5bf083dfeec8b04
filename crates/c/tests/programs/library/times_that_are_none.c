// Nanoseconds that make a second or more are no time: nobody waits until then, and a mutex and a semaphore that are free are taken all the same.
// expect: ok
// classes: 1 because the other thread only waits to be joined
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static const struct timespec none = {1, 1000000000}, negative = {1, -1};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused)
{
    assert(pthread_mutex_timedlock(&mutex, &none) == EINVAL);
    return unused;
}

int main(void)
{
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
    sem_t semaphore;
    mtx_t lock;
    cnd_t signal;
    assert(sem_init(&semaphore, 0, SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
    sem_init(&semaphore, 0, 1);
    errno = 0;
    assert(sem_timedwait(&semaphore, &none) == -1 && errno == EINVAL);
    assert(sem_trywait(&semaphore) == 0);
    assert(pthread_rwlock_timedrdlock(&shared, &none) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&shared, &negative) == EINVAL);
    assert(pthread_rwlock_trywrlock(&shared) == 0);
    assert(pthread_mutex_timedlock(&mutex, &none) == 0);
    assert(pthread_cond_timedwait(&condition, &mutex, &none) == EINVAL);
    assert(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &negative) == EINVAL);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    mtx_init(&lock, mtx_timed);
    cnd_init(&signal);
    mtx_lock(&lock);
    assert(cnd_timedwait(&signal, &lock, &none) == thrd_error);
    errno = 0;
    assert(nanosleep(&none, NULL) == -1 && errno == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &negative, NULL) == EINVAL);
    assert(thrd_sleep(&none, NULL) < -1);
    return 0;
}
