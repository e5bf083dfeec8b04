// A ticket lock: each order of the four tickets is a class.
// expect: ok
// classes: 24
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, serving;
static int counter;

static void *thread(void *unused)
{
    int ticket = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != ticket)
        ;
    counter++;
    atomic_store(&serving, ticket + 1);
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
