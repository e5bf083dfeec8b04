// A ring of one place between one producer and one consumer.
#include "orders.h"
#ifndef PUBLISH
#define PUBLISH REL
#endif
#ifndef SEEN
#define SEEN ACQ
#endif
#ifndef FREED
#define FREED REL
#endif
#ifndef FREE
#define FREE ACQ
#endif
atomic_int head, tail;
int place;
void *producer(void *p) {
    for (int i = 0; i < 2; i++) {
        while (i - load(&head, FREE) == 1) {
        }
        place = i + 1;
        store(&tail, i + 1, PUBLISH);
    }
    return p;
}
void *consumer(void *p) {
    for (int i = 0; i < 2; i++) {
        while (load(&tail, SEEN) == i) {
        }
        assert(place == i + 1);
        store(&head, i + 1, FREED);
    }
    return p;
}
int main(void) { both(producer, consumer); }
