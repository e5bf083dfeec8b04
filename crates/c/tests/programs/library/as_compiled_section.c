// A function that is an atomic section stays one where the optimiser makes it a part of its callers.
// expect: ok
// by gcc: race
// options: --as-compiled -O2
#include <assert.h>
#include <pthread.h>

static int x;

static void __VERIFIER_atomic_increment(void)
{
    int seen = x;
    x = seen + 1;
}

static void *thread(void *unused)
{
    __VERIFIER_atomic_increment();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    __VERIFIER_atomic_increment();
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
