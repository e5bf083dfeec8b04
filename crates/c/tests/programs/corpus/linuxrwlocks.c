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
    for (int k = 0; k < N; k++) {
        if (atomic_fetch_sub(&state, BIAS) == BIAS) {
            data = id;
            assert(data == id);
            atomic_fetch_add(&state, BIAS);
        } else {
            atomic_fetch_add(&state, BIAS);
        }
    }
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
