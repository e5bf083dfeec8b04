// A megabyte of globals, of which threads change a little: every run starts from the initial values.
// expect: ok
// model: var x, y; x = 1; r = y | y = 1; r = x
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE (1 << 20)

static unsigned char zeros[SIZE];
static unsigned char ones[SIZE] = {[0] = 1, [SIZE - 1] = 1};
static atomic_int x, y;

static void *first(void *unused)
{
    (void)unused;
    assert(zeros[4096] == 0 && ones[0] == 1);
    zeros[4096] = 1;
    ones[0] = 0;
    x = 1;
    (void)atomic_load(&y);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    assert(zeros[SIZE - 1] == 0 && ones[SIZE - 1] == 1);
    zeros[SIZE - 1] = 1;
    ones[SIZE - 1] = 0;
    y = 1;
    (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
