// Dekker's way in, without the wait: at most one of two threads gets in.
#include "orders.h"
#ifndef FENCE
#define FENCE SC
#endif
atomic_int wants[2];
int data;
void *thread(int me) {
    store(&wants[me], 1, RLX);
    atomic_thread_fence(FENCE);
    if (!load(&wants[1 - me], RLX)) data++;
    return NULL;
}
void *first(void *p) { return thread(0); }
void *second(void *p) { return thread(1); }
int main(void) { both(first, second); }
