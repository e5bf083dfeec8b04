// Additions whose results nobody looks at commute; those of different widths are of different variables.
// expect: ok
// classes: 1 (nobody can tell their order)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 9

static atomic_int number;
static atomic_uchar small;

static void *thread(void *unused)
{
    atomic_fetch_add(&number, 3);
    atomic_fetch_sub_explicit(&number, 1, memory_order_relaxed);
    atomic_fetch_sub(&small, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(number == 2 * THREADS && small == 256 - THREADS);
    return 0;
}
