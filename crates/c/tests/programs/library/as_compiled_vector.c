// What the optimiser left, in vectors that instrumentation of compilers does not know.
// expect: race
// options: --as-compiled -O2
#include <pthread.h>

typedef long four __attribute__((vector_size(32)));

four x;

static void *writer(void *unused)
{
    x = (four){1, 2, 3, 4}; // found here
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    four seen = x;
    pthread_join(t, NULL);
    return seen[0] > 2;
}
