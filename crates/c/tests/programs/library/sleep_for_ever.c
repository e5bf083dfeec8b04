// A thread sleeps for longer than there is time, and looks at the clock afterwards.
// expect: ok

#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <time.h>

static void *thread(void *unused)
{
    struct timespec span = {LONG_MAX, 999999999}, now, later;
    nanosleep(&span, NULL);
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_REALTIME, &later);
    assert(now.tv_sec > 1000000000 && later.tv_sec >= now.tv_sec);
    return unused;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
    return 0;
}
