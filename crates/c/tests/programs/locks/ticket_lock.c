// A ticket lock: three threads, plain data inside.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3

static atomic_uint next_ticket, serving;
static int protected;

static void *thread(void *unused)
{
    (void)unused;
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (serving != mine)
        ;
    protected++;
    atomic_fetch_add(&serving, 1);
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
