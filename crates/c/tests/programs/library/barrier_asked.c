// Threads meet twice, and at the second meeting they ask who was last: the order of those arrivals matters.
// expect: ok
// classes: 24 (orders of four arrivals)
#include <pthread.h>

#define THREADS 4

static pthread_barrier_t meeting;

static void *thread(void *argument)
{
    pthread_barrier_wait(&meeting);
    return pthread_barrier_wait(&meeting) == PTHREAD_BARRIER_SERIAL_THREAD ? argument : NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&meeting, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, &threads[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&meeting);
    return 0;
}
