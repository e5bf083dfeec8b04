// A lock that looks before it exchanges: each order of the three sections is a class.
// expect: ok
// classes: 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void *thread(void *unused)
{
    do {
        while (atomic_load(&lock))
            ;
    } while (atomic_exchange(&lock, 1));
    counter++;
    atomic_store(&lock, 0);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
