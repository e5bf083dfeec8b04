// Each of two threads writes, and reads what the other one wrote: on a machine with store buffers, both may read nothing.
#include "orders.h"
volatile int x, y;
int a, b;
void fence(void) {
#ifdef FENCED
    atomic_thread_fence(SC);
#endif
}
void *first(void *p) {
    x = 1;
    fence();
    a = y;
    return p;
}
void *second(void *p) {
    y = 1;
    fence();
    b = x;
    return p;
}
int main(void) {
    both(first, second);
    assert(a || b);
}
