// K pairs of threads lock a mutex of their own; one of each pair under a common mutex.
// litmus: mpat K
#include <pthread.h>
#include <stdint.h>

#ifndef K
#define K 3
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a[K];

static void *wa(void *argument)
{
    intptr_t i = (intptr_t)argument;
    pthread_mutex_lock(&a[i]);
    pthread_mutex_unlock(&a[i]);
    return NULL;
}

static void *ra(void *argument)
{
    intptr_t i = (intptr_t)argument;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&a[i]);
    pthread_mutex_unlock(&a[i]);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t writers[K], readers[K];
    for (int i = 0; i < K; i++)
        pthread_mutex_init(&a[i], NULL);
    for (int i = 0; i < K; i++) {
        pthread_create(&writers[i], NULL, wa, (void *)(intptr_t)i);
        pthread_create(&readers[i], NULL, ra, (void *)(intptr_t)i);
    }
    for (int i = 0; i < K; i++) {
        pthread_join(writers[i], NULL);
        pthread_join(readers[i], NULL);
    }
    return 0;
}
