// A race whose reversal needs a wakeup tree with all orders of the threads in between.
// litmus: wakeup_stress N
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x, y;
static pthread_t others[N + 1];

static void *first(void *unused)
{
    (void)unused;
    x = 1;
    return NULL;
}

static void *other(void *argument)
{
    y = (int)(intptr_t)argument;
    return NULL;
}

static void *last(void *unused)
{
    (void)unused;
    for (int i = 1; i <= N; i++)
        pthread_join(others[i], NULL);
    x = 2;
    return NULL;
}

int main(void)
{
    pthread_t f, l;
    pthread_create(&f, NULL, first, NULL);
    for (int i = 1; i <= N; i++)
        pthread_create(&others[i], NULL, other, (void *)(intptr_t)i);
    pthread_create(&l, NULL, last, NULL);
    pthread_join(f, NULL);
    pthread_join(l, NULL);
    return 0;
}
