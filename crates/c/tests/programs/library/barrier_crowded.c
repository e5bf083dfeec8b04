// Three threads come to a barrier at which two meet: each of them may be the one that is left over.
// expect: deadlock
// classes: 6 (where more come than meet, arrivals are ordered)
#include <pthread.h>

#define THREADS 3

static pthread_barrier_t meeting;

static void *thread(void *unused)
{
    pthread_barrier_wait(&meeting);
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&meeting, NULL, 2);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
