// The deque of Chase and Lev: its owner pushes and pops one item, a thief steals until it has one or there is none. It finds none: before
// the push; while the owner pops, before or after that has taken the item; after the pop. Or it takes the item: before the owner
// looks, or after.
// expect: ok
// classes: 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define N 2

static atomic_int top, bottom;

static int is_taken(void)
{
    int expected = 0;
    return atomic_compare_exchange_strong(&top, &expected, 1);
}

static void *thread(void *argument)
{
    if (argument) {
        for (;;) {
            int oldest = atomic_load(&top);
            if (oldest >= atomic_load(&bottom))
                return NULL;
            if (atomic_compare_exchange_strong(&top, &oldest, oldest + 1))
                return NULL;
        }
    }
    atomic_store(&bottom, 1);
    atomic_store(&bottom, 0);
    if (atomic_load(&top) == 0)
        is_taken();
    atomic_store(&bottom, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
