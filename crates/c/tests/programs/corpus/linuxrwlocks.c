// The write side of a reader-writer lock of Linux, tried N times by two threads.
// litmus: linuxrwlocks N
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#define BIAS 0x00100000

static atomic_int state = BIAS;
static atomic_int data;

static void *thread(void *argument)
{
    int id = (int)(intptr_t)argument;
    // What an addition returns is looked at, as in the litmus form: otherwise additions commute.
    volatile int seen;
    for (int k = 0; k < N; k++) {
        if (atomic_fetch_sub(&state, BIAS) == BIAS) {
            data = id;
            assert(data == id);
            seen = atomic_fetch_add(&state, BIAS);
        } else {
            seen = atomic_fetch_add(&state, BIAS);
        }
    }
    (void)seen;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)(intptr_t)1);
    pthread_create(&b, NULL, thread, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
