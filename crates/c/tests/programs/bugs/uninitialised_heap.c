// Memory that was never written decides whether a thread reads a variable.
// expect: uninitialised
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;
static int found;

static void *thread(void *unused)
{
    int *block = malloc(4 * sizeof *block);
    if (block[3] & 1)
        found = x; // found here
    free(block);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return found;
}
