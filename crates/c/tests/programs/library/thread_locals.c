// Thread-local variables: each thread has its own, with its initial value, and they touch nobody.
// expect: ok
// classes: 1 (nothing is shared)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static _Thread_local int counter = 10;
static _Thread_local int numbers[4];

static void *thread(void *argument)
{
    int by = (int)(intptr_t)argument;
    for (int i = 0; i < 4; i++) {
        counter += by;
        numbers[i] = counter;
    }
    assert(counter == 10 + 4 * by && numbers[3] == counter && numbers[0] == 10 + by);
    return NULL;
}

int main(void)
{
    counter = 5;
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)(intptr_t)1);
    pthread_create(&b, NULL, thread, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 5);
    return 0;
}
