// The queue lock of Craig, Landin and Hagersten: each order of the exchanges is a class.
// expect: ok
// classes: 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define N 3

static atomic_int locked[N + 1], tail = N;

static void *thread(void *argument)
{
    int mine = (int)(intptr_t)argument;
    atomic_store(&locked[mine], 1);
    int before = atomic_exchange(&tail, mine);
    while (atomic_load(&locked[before]))
        ;
    atomic_store(&locked[mine], 0);
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
