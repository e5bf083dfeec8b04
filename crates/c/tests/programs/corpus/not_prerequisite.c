// A write that a read may see from two threads.
// litmus: not_prerequisite
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread_1(void *unused)
{
    (void)unused;
    x = 1;
    y = 1;
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    if (y == 1)
        (void)atomic_load(&x);
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    y = 1;
    return NULL;
}

int main(void)
{
    void *(*bodies[])(void *) = {thread_1, thread_2, thread_3};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
