// BUG: N threads increment x by a read and a write, and main asserts that no increment was lost.
// litmus: lost_update N
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int x;

static void *adder(void *unused)
{
    (void)unused;
    int seen = x;
    x = seen + 1;
    return NULL;
}

int main(void)
{
    pthread_t adders[N];
    for (int i = 0; i < N; i++)
        pthread_create(&adders[i], NULL, adder, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(adders[i], NULL);
    assert(x == N); // found here
    return 0;
}
