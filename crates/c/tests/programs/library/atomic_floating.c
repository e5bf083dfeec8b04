// Atomic updates of floating-point numbers: gcc makes loops of them that keep exceptions back until the update is done.
// expect: ok
#include <assert.h>
#include <pthread.h>

static _Atomic double sum;
static _Atomic float product = 1;

static void *thread(void *unused)
{
    sum += 0.5;
    product *= 2;
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    thread(NULL);
    pthread_join(a, NULL);
    assert(sum == 1 && product == 4);
    return 0;
}
