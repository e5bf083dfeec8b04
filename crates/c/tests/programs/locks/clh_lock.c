// The queue lock of Craig, Landin and Hagersten: each thread spins on the node of the one before it.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define THREADS 2

static atomic_int locked[THREADS + 1];
static atomic_int tail = THREADS; // the node that nobody holds
static int protected;

static void *thread(void *argument)
{
    int mine = (int)(intptr_t)argument;
    locked[mine] = 1;
    int before = atomic_exchange(&tail, mine);
    while (locked[before])
        ;
    protected++;
    locked[mine] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(protected == THREADS);
    return 0;
}
