// A timed lock gets the lock or gives up; it never waits for ever.
// expect: ok
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;

static struct timespec soon(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec = 0;
    until.tv_sec += 1;
    return until;
}

static void *impatient(void *unused)
{
    (void)unused;
    struct timespec until = soon();
    int result = pthread_mutex_timedlock(&lock, &until);
    if (result == 0)
        pthread_mutex_unlock(&lock);
    else
        assert(result == ETIMEDOUT);
    assert(sem_timedwait(&never, &until) == -1 && errno == ETIMEDOUT);
    return NULL;
}

int main(void)
{
    sem_init(&never, 0, 0);
    pthread_t t;
    pthread_create(&t, NULL, impatient, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
