// A lock by exchange.
#include "orders.h"
#ifndef LOCK
#define LOCK ACQ
#endif
#ifndef UNLOCK
#define UNLOCK REL
#endif
atomic_int locked;
int data;
void *thread(void *p) {
    while (swap(&locked, 1, LOCK)) {
    }
    data++;
    store(&locked, 0, UNLOCK);
    return p;
}
int main(void) {
    both(thread, thread);
    assert(data == 2);
}
