// Two threads that write if they see one write and not the other's.
// litmus: conditional_readers_2
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread_1(void *unused)
{
    (void)unused;
    x = 1;
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    if (y == 0 && x == 1)
        y = 1;
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    if (y == 0 && x == 1)
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
