// A race whose reversal makes Optimal-DPOR's wakeup trees grow exponentially.
// litmus: exp_mem3 N
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y;

static void *writer(void *argument)
{
    y = (int)(intptr_t)argument;
    return NULL;
}

static void *p(void *unused)
{
    (void)unused;
    x = 1;
    return NULL;
}

static void *q(void *unused)
{
    (void)unused;
    pthread_t writers[N + 1];
    for (int i = 1; i <= N; i++)
        pthread_create(&writers[i], NULL, writer, (void *)(intptr_t)i);
    for (int i = 1; i <= N; i++)
        pthread_join(writers[i], NULL);
    (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, p, NULL);
    pthread_create(&b, NULL, q, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
