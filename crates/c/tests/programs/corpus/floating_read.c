// N threads store to x, and one reads it at any time.
// litmus: floating_read N
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

static void *reader(void *unused)
{
    (void)unused;
    (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t writers[N + 1], r;
    for (int i = 1; i <= N; i++)
        pthread_create(&writers[i], NULL, writer, (void *)(intptr_t)i);
    pthread_create(&r, NULL, reader, NULL);
    for (int i = 1; i <= N; i++)
        pthread_join(writers[i], NULL);
    pthread_join(r, NULL);
    return 0;
}
