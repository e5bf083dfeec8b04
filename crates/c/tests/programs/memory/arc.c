// How a reference count is dropped.
#include "orders.h"
#ifndef DROP
#define DROP REL
#endif
#ifndef LAST
#define LAST ACQ
#endif
struct shared {
    atomic_int count;
    int value;
};
struct shared *shared;
void *thread(void *p) {
    assert(shared->value == 1);
    if (sub(&shared->count, 1, DROP) == 1) {
        atomic_thread_fence(LAST);
        shared->value = 0;
        free(shared);
    }
    return p;
}
int main(void) {
    shared = malloc(sizeof *shared);
    atomic_init(&shared->count, 2);
    shared->value = 1;
    both(thread, thread);
}
