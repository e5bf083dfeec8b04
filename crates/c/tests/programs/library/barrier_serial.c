// Of the threads that meet at a barrier, exactly one is told so; here it does the work of all.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define THREADS 2

static pthread_barrier_t meeting;
static int parts[THREADS], sum, serial;

static void *thread(void *argument)
{
    intptr_t i = (intptr_t)argument;
    parts[i] = (int)i + 1;
    if (pthread_barrier_wait(&meeting) == PTHREAD_BARRIER_SERIAL_THREAD) {
        serial++;
        sum = parts[0] + parts[1];
    }
    pthread_barrier_wait(&meeting);
    assert(sum == 3 && serial == 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&meeting, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&meeting);
    return 0;
}
