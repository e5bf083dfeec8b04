// Linearly many classes, on which source-DPOR explores exponentially many: groups like control_flow, each started by the
// one before.
// litmus: linexp N
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x[N + 1], y[N + 1], z[N + 1];

static void *q(void *argument)
{
    y[(intptr_t)argument] = 1;
    return NULL;
}

static void *r(void *argument)
{
    intptr_t i = (intptr_t)argument;
    if (y[i] == 0)
        z[i] = 1;
    return NULL;
}

static void *s(void *argument)
{
    intptr_t i = (intptr_t)argument;
    if (z[i] == 1 && y[i] == 0)
        x[i] = 1;
    return NULL;
}

static void *(*const bodies[])(void *) = {q, r, s};

static void *p(void *argument)
{
    intptr_t i = (intptr_t)argument;
    if (x[i] == 1 && i < N) {
        pthread_t next[3];
        for (int k = 0; k < 3; k++)
            pthread_create(&next[k], NULL, bodies[k], (void *)(i + 1));
        for (int k = 0; k < 3; k++)
            pthread_join(next[k], NULL);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 3];
    int created = 0;
    for (intptr_t i = N; i >= 1; i--)
        pthread_create(&threads[created++], NULL, p, (void *)i);
    for (int k = 0; k < 3; k++)
        pthread_create(&threads[created++], NULL, bodies[k], (void *)(intptr_t)1);
    for (int i = 0; i < created; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
