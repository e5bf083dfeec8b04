// Treiber's lock-free stack: two threads push, main pops what they pushed. Nodes are not reused.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node))
        ;
}

static int pop(void)
{
    struct node *node = atomic_load(&top);
    while (node && !atomic_compare_exchange_strong(&top, &node, node->next))
        ;
    if (!node)
        return -1;
    int value = node->value;
    free(node);
    return value;
}

static void *pusher(void *argument)
{
    push((int)(intptr_t)argument);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, pusher, (void *)(intptr_t)1);
    pthread_create(&b, NULL, pusher, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pop() + pop() == 3);
    assert(pop() == -1);
    return 0;
}
