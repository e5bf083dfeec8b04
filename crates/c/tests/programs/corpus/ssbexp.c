// Exponentially many sleep-set blocked runs for source-DPOR, and only 2K classes.
// litmus: ssbexp K
#include <pthread.h>
#include <stdint.h>

#ifndef K
#define K 3
#endif

static pthread_mutex_t a[K];
static pthread_mutex_t mi = PTHREAD_MUTEX_INITIALIZER;
static int i;

static void *wa(void *argument)
{
    intptr_t x = (intptr_t)argument;
    pthread_mutex_lock(&a[x]);
    pthread_mutex_unlock(&a[x]);
    return NULL;
}

static void *counter(void *unused)
{
    (void)unused;
    for (int x = 1; x < K; x++) {
        pthread_mutex_lock(&mi);
        i = x;
        pthread_mutex_unlock(&mi);
    }
    return NULL;
}

int main(void)
{
    pthread_t writers[K], c;
    for (int x = 0; x < K; x++)
        pthread_mutex_init(&a[x], NULL);
    for (int x = 0; x < K; x++)
        pthread_create(&writers[x], NULL, wa, (void *)(intptr_t)x);
    pthread_create(&c, NULL, counter, NULL);
    pthread_mutex_lock(&mi);
    int idx = i;
    pthread_mutex_unlock(&mi);
    pthread_mutex_lock(&a[idx]);
    pthread_mutex_unlock(&a[idx]);
    for (int x = 0; x < K; x++)
        pthread_join(writers[x], NULL);
    pthread_join(c, NULL);
    return 0;
}
