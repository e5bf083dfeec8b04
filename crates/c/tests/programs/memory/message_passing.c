// One thread leaves data for another, and raises a flag.
#include "orders.h"
#ifndef DATA
#define DATA RLX
#endif
#ifndef STORE
#define STORE RLX
#endif
#ifndef LOAD
#define LOAD RLX
#endif
atomic_int data, flag;
void *writer(void *p) {
    store(&data, 1, DATA), store(&flag, 1, STORE);
    return p;
}
void *reader(void *p) {
    if (load(&flag, LOAD)) assert(load(&data, DATA) == 1);
    return p;
}
int main(void) { both(writer, reader); }
