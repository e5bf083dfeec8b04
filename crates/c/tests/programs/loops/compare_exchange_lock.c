// A lock by compare-exchange: each order of the four sections is a class.
// expect: ok
// classes: 24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int try_lock(atomic_int *lock)
{
    int free = 0;
    return atomic_compare_exchange_strong(lock, &free, 1);
}

static atomic_int lock;
static int counter;

static void *thread(void *unused)
{
    while (!try_lock(&lock))
        ;
    counter++;
    atomic_store(&lock, 0);
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 4);
    return 0;
}
