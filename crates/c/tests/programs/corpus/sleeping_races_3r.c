// As sleeping_races_1, with a second reader of x.
// litmus: sleeping_races_3r
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread_1(void *unused)
{
    (void)unused;
    y = 1;
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    x = 1;
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    (void)atomic_load(&x);
    return NULL;
}

static void *thread_4(void *unused)
{
    (void)unused;
    if (x == 1)
        (void)atomic_load(&y);
    return NULL;
}

int main(void)
{
    void *(*bodies[])(void *) = {thread_1, thread_2, thread_3, thread_4};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
