// A thread computes for longer than the search may take, without an operation.
// expect: bound
// options: --max-time 400ms --hang-after 1h
#include <pthread.h>
#include <stddef.h>

static volatile unsigned long rounds;

static void *computes(void *unused)
{
    for (unsigned long i = 0; i < 1000000000000; i++)
        rounds = rounds * 3 + 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, computes, NULL);
    pthread_join(t, NULL);
    return 0;
}
