// A wakeup sequence cut down to the causes of the second event loses one class.
// litmus: diff_dep_1
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *thread_1(void *unused)
{
    (void)unused;
    x = 1;
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    y = 1;
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    z = 1;
    return NULL;
}

static void *thread_4(void *unused)
{
    (void)unused;
    if (z == 1)
        (void)atomic_load(&x);
    return NULL;
}

static void *thread_5(void *unused)
{
    (void)unused;
    if (y == 1)
        (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    void *(*bodies[])(void *) = {thread_1, thread_2, thread_3, thread_4, thread_5};
    pthread_t threads[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
