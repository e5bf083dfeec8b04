// A spin lock over an atomic flag.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int protected;

static void *thread(void *unused)
{
    (void)unused;
    while (atomic_flag_test_and_set(&lock))
        ;
    protected++;
    atomic_flag_clear(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(protected == THREADS);
    return 0;
}
