// Long private computations of T threads, N stores and loads each, then one store and one load of a shared variable.
// litmus: length_param T N
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef T
#define T 2
#endif
#ifndef N
#define N 16
#endif

static volatile int private[T];
static atomic_int shared;

static void *thread(void *argument)
{
    intptr_t i = (intptr_t)argument;
    for (int k = 0; k < N; k++) {
        private[i] = k;
        (void)private[i];
    }
    shared = (int)i + 1;
    (void)atomic_load(&shared);
    return NULL;
}

int main(void)
{
    pthread_t threads[T];
    for (int i = 0; i < T; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < T; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
