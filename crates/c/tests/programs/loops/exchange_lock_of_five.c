// A lock by exchange: each order of the five sections is a class.
// expect: ok
// classes: 120
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void *thread(void *unused)
{
    while (atomic_exchange(&lock, 1))
        ;
    counter++;
    atomic_store(&lock, 0);
    return unused;
}

int main(void)
{
    pthread_t threads[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 5);
    return 0;
}
