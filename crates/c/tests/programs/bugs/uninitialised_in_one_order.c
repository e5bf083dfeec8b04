// In one order, a thread looks at a block before anybody has written it.
// expect: uninitialised
// options: --no-races
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static void *writer(void *unused)
{
    pthread_mutex_lock(&mutex);
    *block = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *reader(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (*block < 0)
        puts("negative");
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(sizeof *block);
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(block);
    return 0;
}
