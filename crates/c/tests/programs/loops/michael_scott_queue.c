// The queue of Michael and Scott: two threads enqueue. Given whose node comes first, the other one finds the tail moved on; or it
// moves it on itself, and the first finds that out before or after the other moves it again.
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
};

static struct node first, nodes[N];
static _Atomic(struct node *) tail = &first;

__attribute__((noinline)) static int is_enqueued(struct node *mine)
{
    struct node *last = atomic_load(&tail);
    struct node *next = atomic_load(&last->next);
    if (next) {
        atomic_compare_exchange_strong(&tail, &last, next);
        return 0;
    }
    if (!atomic_compare_exchange_strong(&last->next, &next, mine))
        return 0;
    atomic_compare_exchange_strong(&tail, &last, mine);
    return 1;
}

static void *thread(void *argument)
{
    while (!is_enqueued(&nodes[(intptr_t)argument]))
        ;
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
