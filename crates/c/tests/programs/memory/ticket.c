// A ticket lock.
#include "orders.h"
#ifndef SEEN
#define SEEN ACQ
#endif
#ifndef UNLOCK
#define UNLOCK REL
#endif
atomic_int next, serving;
int data;
void *thread(void *p) {
    int mine = add(&next, 1, RLX);
    while (load(&serving, SEEN) != mine) {
    }
    data++;
    store(&serving, mine + 1, UNLOCK);
    return p;
}
int main(void) {
    both(thread, thread);
    assert(data == 2);
}
