// Lamport's bakery for two threads.
#include "orders.h"
#ifndef FENCE
#define FENCE SC
#endif
#ifndef SEEN
#define SEEN ACQ
#endif
#ifndef UNLOCK
#define UNLOCK REL
#endif
atomic_int choosing[2], number[2];
int data;
void *thread(int me) {
    int other = 1 - me;
    store(&choosing[me], 1, RLX);
    atomic_thread_fence(FENCE);
    store(&number[me], load(&number[other], RLX) + 1, RLX);
    store(&choosing[me], 0, REL);
    atomic_thread_fence(FENCE);
    while (load(&choosing[other], ACQ)) {
    }
    for (;;) {
        int mine = load(&number[me], RLX), theirs = load(&number[other], SEEN);
        if (!theirs || theirs > mine || (theirs == mine && me < other)) break;
    }
    data++;
    store(&number[me], 0, UNLOCK);
    return NULL;
}
void *first(void *p) { return thread(0); }
void *second(void *p) { return thread(1); }
int main(void) {
    both(first, second);
    assert(data == 2);
}
