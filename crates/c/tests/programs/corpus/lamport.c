// Lamport's second fast mutual exclusion, one lock and unlock each; where a thread would wait or start again, it assumes.
// litmus: lamport N
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

void __VERIFIER_assume(int);

static atomic_int x, y, b[N + 1], inside;

static void lock(int i)
{
    for (;;) {
        b[i] = 1;
        x = i;
        if (y != 0) {
            b[i] = 0;
            __VERIFIER_assume(y == 0);
            continue;
        }
        y = i;
        if (x == i)
            return;
        b[i] = 0;
        for (int j = 1; j <= N; j++)
            __VERIFIER_assume(b[j] == 0);
        if (y == i)
            return;
        __VERIFIER_assume(y == 0);
    }
}

static void unlock(int i)
{
    y = 0;
    b[i] = 0;
}

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument;
    lock(i);
    inside = i;
    assert(inside == i);
    unlock(i);
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    for (int i = 1; i <= N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 1; i <= N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
