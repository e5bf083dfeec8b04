// A set over a bitmap: fetch-or tells who was first.
// expect: ok
// model: var s; r = fetch_add s, 1 | r = fetch_add s, 2 | r = fetch_add s, 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_uint set;

static void *adder(void *argument)
{
    unsigned bit = 1u << (intptr_t)argument;
    assert(!(atomic_fetch_or(&set, bit) & bit));
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, adder, (void *)(intptr_t)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(set == 7);
    return 0;
}
