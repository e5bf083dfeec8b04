// A bug that takes two rounds of loops to come to, within a bound of two.
// expect: assertion
// options: --unroll 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *thread(void *unused)
{
    for (;;)
        assert(counter++ < 3);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
