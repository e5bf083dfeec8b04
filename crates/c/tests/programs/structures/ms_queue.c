// The lock-free queue of Michael and Scott: two threads enqueue, main dequeues. Nodes are not reused.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};

static _Atomic(struct node *) head, tail;

static struct node *node_of(int value)
{
    struct node *node = malloc(sizeof *node);
    atomic_init(&node->next, NULL);
    node->value = value;
    return node;
}

static void enqueue(int value)
{
    struct node *node = node_of(value);
    for (;;) {
        struct node *last = tail;
        struct node *next = last->next;
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        struct node *none = NULL;
        if (atomic_compare_exchange_strong(&last->next, &none, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = head;
        struct node *last = tail;
        struct node *next = first->next;
        if (!next)
            return -1;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next)) {
            free(first);
            return value;
        }
    }
}

static void *producer(void *argument)
{
    enqueue((int)(intptr_t)argument);
    return NULL;
}

int main(void)
{
    head = tail = node_of(0);
    pthread_t a, b;
    pthread_create(&a, NULL, producer, (void *)(intptr_t)1);
    pthread_create(&b, NULL, producer, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int first = dequeue(), second = dequeue();
    assert(first + second == 3 && first != second);
    assert(dequeue() == -1);
    free(head);
    return 0;
}
