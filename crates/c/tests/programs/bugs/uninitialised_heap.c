// Memory that was never written decides which variable a thread writes.
// expect: uninitialised
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static int one, other;

static void *thread(void *unused)
{
    int *block = malloc(4 * sizeof *block);
    if (block[3] & 1)
        one = x; // found here
    else
        other = y;
    free(block);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return one + other;
}
