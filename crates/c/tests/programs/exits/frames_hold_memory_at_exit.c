// Frames of the thread that ends the program, of one that waits, and of main hold memory: none of it is lost.
// expect: ok
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *unused)
{
    int *block = malloc(sizeof *block);
    *block = 1;
    pthread_mutex_lock(&m);
    free(block);
    return unused;
}

static void deep(int **block)
{
    **block = 2;
    exit(0);
}

static void *ends(void *unused)
{
    int *block = malloc(sizeof *block);
    deep(&block);
    return unused;
}

int main(void)
{
    int *block = malloc(sizeof *block);
    *block = 3;
    pthread_mutex_lock(&m);
    pthread_t a, b;
    pthread_create(&a, NULL, waits, NULL);
    pthread_create(&b, NULL, ends, NULL);
    pthread_join(a, NULL);
    free(block);
    return 0;
}
