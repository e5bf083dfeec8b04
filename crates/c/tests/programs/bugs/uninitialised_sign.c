// What a block holds that was never initialised is compared with a number. It decides only if it is positive.
// expect: uninitialised
#include <pthread.h>
#include <stdlib.h>

static _Atomic int large, small;

static void *thread(void *unused)
{
    int *block = malloc(sizeof *block);
    if (*block > 5)
        large++;
    free(block);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    small = large;
    return pthread_join(t, 0);
}
