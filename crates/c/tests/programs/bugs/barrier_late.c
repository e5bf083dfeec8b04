// BUG: a barrier is initialised after the thread was created that waits at it.
// expect: misuse
// classes: 2 (the thread comes to the barrier before its initialisation, or after it)
#include <pthread.h>

static pthread_barrier_t barrier;

static void *early(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&barrier); // found here
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, early, NULL);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
