// BUG: two bit fields of one word are written by two threads without a lock.
// expect: race
#include <pthread.h>

static struct {
    unsigned a : 4;
    unsigned b : 4;
} bits;

static void *first(void *unused)
{
    (void)unused;
    bits.a = 1; // found here
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    bits.b = 1; // found here
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
