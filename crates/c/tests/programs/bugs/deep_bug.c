// BUG: one interleaving in several hundred: each thread must be interrupted at the right place three times.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *even(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        int expected = 2 * i;
        atomic_compare_exchange_strong(&turn, &expected, 2 * i + 1);
    }
    return NULL;
}

static void *odd(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        int expected = 2 * i + 1;
        atomic_compare_exchange_strong(&turn, &expected, 2 * i + 2);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, even, NULL);
    pthread_create(&b, NULL, odd, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(turn != 6); // found here
    return 0;
}
