// N threads store to x; main joins them and reads x.
// litmus: lastwrite N
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer(void *argument)
{
    x = (int)(intptr_t)argument;
    return NULL;
}

int main(void)
{
    pthread_t writers[N + 1];
    for (int i = 1; i <= N; i++)
        pthread_create(&writers[i], NULL, writer, (void *)(intptr_t)i);
    for (int i = 1; i <= N; i++)
        pthread_join(writers[i], NULL);
    (void)atomic_load(&x);
    return 0;
}
