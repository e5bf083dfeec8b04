// Peterson's lock. Given who gives the turn away first, it sees that the other does not want to enter, or that it has the turn
// back; the other then waits until it has left.
// expect: ok
// classes: 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define N 2

static atomic_int wants[N], turn;

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument, other = 1 - i;
    atomic_store(&wants[i], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        ;
    atomic_store(&wants[i], 0);
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
