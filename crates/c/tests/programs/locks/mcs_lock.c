// The queue lock of Mellor-Crummey and Scott: each thread spins on a node of its own stack.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define THREADS 2

struct node {
    _Atomic(struct node *) next;
    atomic_bool waiting;
};

static _Atomic(struct node *) tail;
static int protected;

static void lock(struct node *node)
{
    atomic_store(&node->next, NULL);
    atomic_store(&node->waiting, true);
    struct node *before = atomic_exchange(&tail, node);
    if (!before)
        return;
    atomic_store(&before->next, node);
    while (atomic_load(&node->waiting))
        ;
}

static void unlock(struct node *node)
{
    if (!atomic_load(&node->next)) {
        struct node *expected = node;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while (!atomic_load(&node->next))
            ;
    }
    atomic_store(&atomic_load(&node->next)->waiting, false);
}

static void *thread(void *unused)
{
    (void)unused;
    struct node node;
    lock(&node);
    protected++;
    unlock(&node);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(protected == THREADS && tail == NULL);
    return 0;
}
