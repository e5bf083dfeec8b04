// T threads add to a sum under a mutex; main joins them.
// litmus: pi T
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef T
#define T 3
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *worker(void *argument)
{
    pthread_mutex_lock(&m);
    sum += (int)(intptr_t)argument;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t workers[T];
    for (int i = 0; i < T; i++)
        pthread_create(&workers[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < T; i++)
        pthread_join(workers[i], NULL);
    assert(sum == T * (T - 1) / 2);
    return 0;
}
