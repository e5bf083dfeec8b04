// The queue of Michael and Scott: one thread puts two numbers in, another takes one out.
#include "orders.h"
#ifndef LINK
#define LINK REL
#endif
#ifndef FOLLOW
#define FOLLOW ACQ
#endif
struct node {
    int value;
    _Atomic(struct node *) next;
};
struct node nodes[3];
_Atomic(struct node *) head = &nodes[0], tail = &nodes[0];
void enqueue(struct node *node, int value) {
    node->value = value;
    store(&node->next, NULL, RLX);
    for (;;) {
        struct node *last = load(&tail, ACQ), *next = load(&last->next, ACQ), *none = NULL;
        if (next) {
            cas(&tail, &last, next, REL, RLX);
        } else if (cas(&last->next, &none, node, LINK, RLX)) {
            cas(&tail, &last, node, REL, RLX);
            return;
        }
    }
}
void *producer(void *p) {
    enqueue(&nodes[1], 1);
    enqueue(&nodes[2], 2);
    return p;
}
void *consumer(void *p) {
    for (;;) {
        struct node *first = load(&head, ACQ), *last = load(&tail, ACQ), *next = load(&first->next, FOLLOW);
        if (!next) return p;
        if (first == last) {
            cas(&tail, &last, next, REL, RLX);
        } else if (cas(&head, &first, next, AR, RLX)) {
            assert(next->value == 1);
            return p;
        }
    }
}
int main(void) { both(producer, consumer); }
