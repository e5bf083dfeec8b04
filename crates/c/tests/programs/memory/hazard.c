// A hazard pointer: the reader announces what it reads, the writer frees what nobody announced.
#include "orders.h"
#ifndef PROTECT
#define PROTECT SC
#endif
#ifndef SCAN
#define SCAN SC
#endif
#ifndef CLEAR
#define CLEAR REL
#endif
#ifndef SEEN
#define SEEN ACQ
#endif
_Atomic(int *) current, hazard;
void *reader(void *p) {
    int *it = load(&current, ACQ);
    store(&hazard, it, RLX);
    atomic_thread_fence(PROTECT);
    if (load(&current, ACQ) == it) assert(*it == 1);
    store(&hazard, NULL, CLEAR);
    return p;
}
void *writer(void *p) {
    int *new = malloc(sizeof *new);
    *new = 1;
    int *old = swap(&current, new, AR);
    atomic_thread_fence(SCAN);
    if (load(&hazard, SEEN) != old) {
        *old = 0;
        free(old);
    }
    return p;
}
int main(void) {
    int *it = malloc(sizeof *it);
    *it = 1;
    store(&current, it, RLX);
    both(reader, writer);
    _Exit(0);
}
