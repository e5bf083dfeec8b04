// What the optimiser left: of two writes in a row only the second one.
// expect: race
// options: --as-compiled -O2
// classes: 2 (the read comes before or after the write that is left)
#include <pthread.h>

static int x;

static void *writer(void *unused)
{
    x = 1;
    x = 2; // found here
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int seen = x; // found here
    pthread_join(t, NULL);
    return seen;
}
