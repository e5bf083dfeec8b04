// Memory that was never written decides which variable a thread writes: the same in every run, or found out.
// expect: survives
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

static void *thread(void *unused)
{
    int *block = malloc(4 * sizeof *block);
    if (block[3] & 1)
        x = 1;
    else
        y = 1;
    free(block);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
