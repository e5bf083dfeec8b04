// BUG: a thread that is created detached detaches itself, too.
// expect: misuse
#include <pthread.h>

static void *thread(void *unused)
{
    pthread_detach(pthread_self());
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &detached, thread, NULL);
    return 0;
}
