// BUG: main believes that a second is enough for the other thread.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int value;

static void *setter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t s;
    pthread_create(&s, NULL, setter, NULL);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&lock);
    if (value == 0)
        pthread_cond_timedwait(&ready, &lock, &until);
    assert(value == 1); // found here
    pthread_mutex_unlock(&lock);
    pthread_join(s, NULL);
    return 0;
}
