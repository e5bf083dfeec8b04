// The queue of Michael and Scott with a consumer at work while the producer is.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define ITEMS 2

struct node {
    _Atomic(struct node *) next;
    int value;
};

static struct node nodes[ITEMS + 1];
static _Atomic(struct node *) head = &nodes[0], tail = &nodes[0];

static void enqueue(struct node *node)
{
    for (;;) {
        struct node *last = tail;
        struct node *next = NULL;
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
        atomic_compare_exchange_strong(&tail, &last, next);
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = head, *last = tail, *next = first->next;
        if (!next)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
    }
}

static void *producer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++) {
        nodes[i].value = i;
        enqueue(&nodes[i]);
    }
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    int expected = 1;
    for (int i = 0; i < ITEMS; i++) {
        int value = dequeue();
        if (value)
            assert(value == expected++);
    }
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
