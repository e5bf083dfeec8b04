// A reversal with several initials.
// litmus: many_initials
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
    int seen_y = y;
    int seen_z = z;
    if (seen_y == 1 && seen_z == 1)
        (void)atomic_load(&x);
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
