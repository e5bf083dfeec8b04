// What a thread returns, or gives to pthread_exit, is what its join gets.
// expect: ok
// classes: 1 (nothing is shared)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void leave(intptr_t result)
{
    pthread_exit((void *)result);
}

static void *returns(void *argument)
{
    return (void *)((intptr_t)argument + 1);
}

static void *exits(void *unused)
{
    (void)unused;
    leave(23);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, NULL, returns, (void *)(intptr_t)41);
    pthread_create(&b, NULL, exits, NULL);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert((intptr_t)first == 42 && (intptr_t)second == 23);
    assert(!pthread_equal(a, pthread_self()));
    return 0;
}
