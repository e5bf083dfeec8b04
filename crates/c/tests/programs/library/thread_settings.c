// Names and priorities of threads make no difference.
// expect: ok
// classes: 1
#define _GNU_SOURCE
#include <pthread.h>

static void *thread(void *unused)
{
    pthread_setname_np(pthread_self(), "worker");
    return unused;
}

int main(void)
{
    pthread_t t;
    struct sched_param parameters = {0};
    pthread_create(&t, NULL, thread, NULL);
    pthread_setschedparam(t, SCHED_OTHER, &parameters);
    pthread_join(t, NULL);
    return 0;
}
