// A lock by exchange: each order of the five sections is a class.
// expect: ok
// classes: 120
#define N 5
#include "exchange_lock.c"
