// Pseudo-random numbers are the same in every run.
// expect: ok
// classes: 2 (two stores to one variable, whatever the number)
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static atomic_int cell[2];

static void *thread(void *unused)
{
    (void)unused;
    cell[0] = rand();
    return NULL;
}

int main(void)
{
    srand((unsigned)time(NULL));
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
