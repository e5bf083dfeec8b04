// Lamport's bakery for two. Both choose before either has a number: 1 class. One sees the other's number: then that one looks whether
// the first is choosing, and at its number, before or after these change: 3, either way round. One chooses when the other has
// left: 1, either way round.
// expect: ok
// classes: 9
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define N 2

static atomic_int choosing[N], number[N];

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument, other = 1 - i;
    atomic_store(&choosing[i], 1);
    int mine = atomic_load(&number[other]) + 1;
    atomic_store(&number[i], mine);
    atomic_store(&choosing[i], 0);
    while (atomic_load(&choosing[other]))
        ;
    for (;;) {
        int n = atomic_load(&number[other]);
        if (n == 0 || n > mine || (n == mine && other > i))
            break;
    }
    atomic_store(&number[i], 0);
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
