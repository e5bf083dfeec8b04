// A sequence lock (Boehm 2012): the data is atomic, and relaxed.
#include "orders.h"
#ifndef BEGIN
#define BEGIN REL
#endif
#ifndef END
#define END REL
#endif
#ifndef FIRST
#define FIRST ACQ
#endif
#ifndef AGAIN
#define AGAIN ACQ
#endif
atomic_int sequence, one, two;
void *writer(void *p) {
    store(&sequence, 1, RLX);
    atomic_thread_fence(BEGIN);
    store(&one, 1, RLX);
    store(&two, 1, RLX);
    store(&sequence, 2, END);
    return p;
}
void *reader(void *p) {
    int before = load(&sequence, FIRST);
    int a = load(&one, RLX), b = load(&two, RLX);
    atomic_thread_fence(AGAIN);
    int after = load(&sequence, RLX);
    if (before == after && before % 2 == 0) assert(a == b);
    return p;
}
int main(void) { both(writer, reader); }
