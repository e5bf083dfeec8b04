// Treiber's stack, whose nodes are not used again: each thread pushes a node, then pops one. There are 6 orders of the four
// operations; 4 more in which one began before the other thread pushed and popped, and did not notice; and 2 in which a thread wrote
// the link of its node in vain before that.
// expect: ok
// classes: 12
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

struct node {
    struct node *next;
};

static struct node nodes[N];
static _Atomic(struct node *) top;

static void push(struct node *node)
{
    struct node *seen;
    do {
        seen = atomic_load(&top);
        node->next = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static struct node *pop(void)
{
    struct node *seen;
    do {
        seen = atomic_load(&top);
        if (!seen)
            return NULL;
    } while (!atomic_compare_exchange_strong(&top, &seen, seen->next));
    return seen;
}

static void *thread(void *argument)
{
    push(&nodes[(intptr_t)argument]);
    assert(pop());
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
