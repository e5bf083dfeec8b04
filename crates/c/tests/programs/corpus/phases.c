// N threads that write their element of an array, meet at a barrier, and read their neighbour's; P times.
// litmus: phases N P
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef P
#define P 2
#endif

static pthread_barrier_t meeting;
static int cell[N];

static void *thread(void *argument)
{
    intptr_t i = (intptr_t)argument;
    for (int phase = 1; phase <= P; phase++) {
        cell[i] = phase;
        pthread_barrier_wait(&meeting);
        assert(cell[(i + 1) % N] == phase);
        pthread_barrier_wait(&meeting);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    pthread_barrier_init(&meeting, NULL, N);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&meeting);
    return 0;
}
