// BUG: a division by a number that the other thread may not have set.
// expect: arithmetic
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor;

static void *setter(void *unused)
{
    (void)unused;
    divisor = 5;
    return NULL;
}

int main(void)
{
    pthread_t s;
    pthread_create(&s, NULL, setter, NULL);
    int quotient = 10 / divisor; // found here
    pthread_join(s, NULL);
    return quotient > 10;
}
