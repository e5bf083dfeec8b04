// Four threads whose later steps depend on what they read.
// litmus: control_flow
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *p(void *unused)
{
    (void)unused;
    (void)atomic_load(&x);
    return NULL;
}

static void *q(void *unused)
{
    (void)unused;
    y = 1;
    return NULL;
}

static void *r(void *unused)
{
    (void)unused;
    if (y == 0)
        z = 1;
    return NULL;
}

static void *s(void *unused)
{
    (void)unused;
    if (z == 1 && y == 0)
        x = 1;
    return NULL;
}

int main(void)
{
    void *(*bodies[])(void *) = {p, q, r, s};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
