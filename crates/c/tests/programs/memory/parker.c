// A thread that parks until another one has left it something.
#include "orders.h"
#ifndef UNPARK
#define UNPARK REL
#endif
#ifndef PARK
#define PARK ACQ
#endif
atomic_int token;
int data;
void *unparks(void *p) {
    data = 1;
    swap(&token, 1, UNPARK);
    return p;
}
void *parks(void *p) {
    int one = 1;
    while (!cas(&token, &one, 0, PARK, RLX)) {
        one = 1;
    }
    assert(data == 1);
    return p;
}
int main(void) { both(unparks, parks); }
