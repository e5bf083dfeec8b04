// Treiber's stack: one thread pushes, another pops.
#include "orders.h"
#ifndef PUSH
#define PUSH REL
#endif
#ifndef POP
#define POP ACQ
#endif
struct node {
    int value;
    struct node *next;
};
struct node nodes[2];
_Atomic(struct node *) top;
void *pusher(void *p) {
    for (int i = 0; i < 2; i++) {
        nodes[i].value = i + 1;
        struct node *old = load(&top, RLX);
        do {
            nodes[i].next = old;
        } while (!cas(&top, &old, &nodes[i], PUSH, RLX));
    }
    return p;
}
void *popper(void *p) {
    struct node *old = load(&top, POP);
    while (old && !cas(&top, &old, old->next, POP, POP)) {
    }
    if (old) assert(old->value == 1 || old->value == 2);
    return p;
}
int main(void) { both(pusher, popper); }
