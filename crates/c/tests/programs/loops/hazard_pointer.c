// A hazard pointer. The reader holds the old record when it is replaced: 1 class. It had only begun to: the writer looks before it
// does, when it holds the new one, or when it holds none again: 3. It comes later: the same 3.
// expect: ok
// classes: 7
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define N 2

static int *records[2];
static _Atomic(int *) current, hazard;

static void *thread(void *argument)
{
    if (argument) {
        int *seen;
        do {
            seen = atomic_load(&current);
            atomic_store(&hazard, seen);
        } while (atomic_load(&current) != seen);
        assert(*seen == 1 || *seen == 2);
        atomic_store(&hazard, NULL);
        return NULL;
    }
    int *old = atomic_exchange(&current, records[1]);
    while (atomic_load(&hazard) == old)
        ;
    free(old);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        records[i] = malloc(sizeof(int));
        *records[i] = i + 1;
    }
    current = records[0];
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    free(records[1]);
    return 0;
}
