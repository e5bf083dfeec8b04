// User-space RCU with one reader: the writer publishes, waits until the reader is outside, and frees.
#include "orders.h"
#ifndef ENTER
#define ENTER SC
#endif
#ifndef WAIT
#define WAIT SC
#endif
#ifndef LEAVE
#define LEAVE REL
#endif
#ifndef OUTSIDE
#define OUTSIDE ACQ
#endif
#ifndef PUBLISH
#define PUBLISH REL
#endif
#ifndef READ
#define READ ACQ
#endif
_Atomic(int *) current;
atomic_int inside;
int old = 1, new;
void *reader(void *p) {
    store(&inside, 1, RLX);
    atomic_thread_fence(ENTER);
    assert(*load(&current, READ) == 1);
    store(&inside, 0, LEAVE);
    return p;
}
void *writer(void *p) {
    new = 1;
    store(&current, &new, PUBLISH);
    atomic_thread_fence(WAIT);
    while (load(&inside, OUTSIDE)) {
    }
    old = 0;
    return p;
}
int main(void) {
    store(&current, &old, RLX);
    both(reader, writer);
}
