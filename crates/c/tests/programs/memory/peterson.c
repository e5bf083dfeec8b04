// Peterson's algorithm for two threads, with an exchange of the turn in place of fences.
#include "orders.h"
#ifndef TURN
#define TURN AR
#endif
#ifndef SEEN
#define SEEN ACQ
#endif
#ifndef UNLOCK
#define UNLOCK REL
#endif
atomic_int wants[2], turn;
int data;
void *thread(int me) {
    store(&wants[me], 1, RLX);
    swap(&turn, 1 - me, TURN);
    while (load(&wants[1 - me], SEEN) && load(&turn, SEEN) == 1 - me) {
    }
    data++;
    store(&wants[me], 0, UNLOCK);
    return NULL;
}
void *first(void *p) { return thread(0); }
void *second(void *p) { return thread(1); }
int main(void) {
    both(first, second);
    assert(data == 2);
}
