// The older atomic builtins, and those with a memory order.
// expect: ok
// model: var x, y; x += 1; s = compare_exchange y, 0, 1 | x += 1; s = compare_exchange y, 0, 2
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int x, y;

static void *thread(void *argument)
{
    int mine = (int)(intptr_t)argument;
    __sync_fetch_and_add(&x, 1);
    int expected = 0;
    __atomic_compare_exchange_n(&y, &expected, mine, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)(intptr_t)1);
    pthread_create(&b, NULL, thread, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(__atomic_load_n(&x, __ATOMIC_RELAXED) == 2 && __atomic_load_n(&y, __ATOMIC_RELAXED) != 0);
    return 0;
}
