// BUG: a barrier for three that two threads come to.
// expect: deadlock
#include <pthread.h>

static pthread_barrier_t meeting;

static void *thread(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&meeting); // found here
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&meeting, NULL, 3);
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
