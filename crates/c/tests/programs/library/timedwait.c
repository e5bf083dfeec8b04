// A wait that may time out: both outcomes are explored, so nothing waits for ever though nobody signals.
// expect: ok
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int value;

static void *waiter(void *unused)
{
    (void)unused;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    int result = 0;
    pthread_mutex_lock(&lock);
    while (value == 0 && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&ready, &lock, &until);
    assert(value == 1 || result == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *setter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t w, s;
    pthread_create(&w, NULL, waiter, NULL);
    pthread_create(&s, NULL, setter, NULL);
    pthread_join(w, NULL);
    pthread_join(s, NULL);
    return 0;
}
