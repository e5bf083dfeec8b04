// Threads meet twice, and nobody asks who was last: the order of their arrivals does not matter.
// expect: ok
// classes: 1 (arrivals of one meeting commute)
#include <pthread.h>

#define THREADS 4

static pthread_barrier_t meeting;
static int before[THREADS];

static void *thread(void *argument)
{
    int *own = argument;
    *own = 1;
    pthread_barrier_wait(&meeting);
    for (int i = 0; i < THREADS; i++)
        if (before[i] != 1)
            return argument;
    pthread_barrier_wait(&meeting);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&meeting, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, &before[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&meeting);
    return 0;
}
