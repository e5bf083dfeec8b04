// The queue lock of Mellor-Crummey and Scott. Given who comes first, the other comes after it has left; or before, and then
// the first sees its link at once, or only when it has failed to leave alone.
// expect: ok
// classes: 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define N 2

struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};

static struct node nodes[N];
static _Atomic(struct node *) tail;

static void *thread(void *argument)
{
    struct node *mine = &nodes[(intptr_t)argument];
    atomic_store(&mine->waits, 1);
    struct node *before = atomic_exchange(&tail, mine);
    if (before) {
        atomic_store(&before->next, mine);
        while (atomic_load(&mine->waits))
            ;
    }
    if (!atomic_load(&mine->next)) {
        struct node *expected = mine;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return NULL;
        while (!atomic_load(&mine->next))
            ;
    }
    atomic_store(&atomic_load(&mine->next)->waits, 0);
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
