// A read that needs four others to come out right.
// litmus: combination_lock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b, c, d, v, w, x, y, z;

static void *thread_1(void *unused)
{
    (void)unused;
    z = 1;
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    x = 1;
    a = 1;
    if (y == 1) {
        w = 1;
        b = 1;
    }
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    if (x == 1) {
        y = 1;
        c = 1;
        if (v == 1)
            (void)atomic_load(&z);
    }
    return NULL;
}

static void *thread_4(void *unused)
{
    (void)unused;
    if (w == 1) {
        v = 1;
        d = 1;
    }
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
