// The queue lock of Mellor-Crummey and Scott.
#include "orders.h"
#ifndef ENTER
#define ENTER AR
#endif
#ifndef LINK
#define LINK REL
#endif
#ifndef FOLLOW
#define FOLLOW ACQ
#endif
#ifndef WAKE
#define WAKE REL
#endif
#ifndef WOKEN
#define WOKEN ACQ
#endif
#ifndef LEAVE
#define LEAVE REL
#endif
struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};
_Atomic(struct node *) tail;
struct node nodes[2];
int data;
void *thread(struct node *me) {
    store(&me->next, NULL, RLX);
    store(&me->waits, 1, RLX);
    struct node *before = swap(&tail, me, ENTER);
    if (before) {
        store(&before->next, me, LINK);
        while (load(&me->waits, WOKEN)) {
        }
    }
    data++;
    struct node *self = me;
    if (!load(&me->next, FOLLOW)) {
        if (cas(&tail, &self, NULL, LEAVE, RLX)) return NULL;
        while (!load(&me->next, FOLLOW)) {
        }
    }
    store(&load(&me->next, RLX)->waits, 0, WAKE);
    return NULL;
}
void *first(void *p) { return thread(&nodes[0]); }
void *second(void *p) { return thread(&nodes[1]); }
int main(void) {
    both(first, second);
    assert(data == 2);
}
