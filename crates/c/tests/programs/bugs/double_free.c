// BUG: two threads free the same block when both find the flag unset.
// expect: double-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *block;
static atomic_int freed;

static void *thread(void *unused)
{
    (void)unused;
    if (!freed) {
        freed = 1;
        free(block); // found here
    }
    return NULL;
}

int main(void)
{
    block = malloc(16);
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
