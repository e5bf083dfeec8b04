// A thread that never frees what it allocates, for ever: there is no end at which it could be lost, and no end of states.
// expect: bound
// options: --max-states 3000
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) last;

static void *run(void *unused)
{
    for (;;)
        atomic_store(&last, malloc(sizeof(int)));
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    for (;;)
        (void)atomic_load(&last);
}
