// What the optimiser left, in a size that instrumentation of compilers does not know.
// expect: race
// options: --as-compiled -O2
// classes: 2 (the read comes before or after the write)
#include <pthread.h>

long double x;

static void *writer(void *unused)
{
    x = 1.5L; // found here
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    long double seen = x; // found here
    pthread_join(t, NULL);
    return seen > 2;
}
