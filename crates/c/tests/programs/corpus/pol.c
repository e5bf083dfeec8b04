// Readers poll an element of an array that another thread keeps choosing, in K rounds. Called poke in CAV'24.
// litmus: pol N K
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif

static pthread_mutex_t ma[N];
static pthread_mutex_t mi = PTHREAD_MUTEX_INITIALIZER;
static int a[N], i, d;

static void *wa(void *argument)
{
    intptr_t x = (intptr_t)argument;
    pthread_mutex_lock(&ma[x]);
    a[x] = 1;
    pthread_mutex_unlock(&ma[x]);
    return NULL;
}

static void *choice(void *unused)
{
    (void)unused;
    for (int x = 1; x < N; x++) {
        pthread_mutex_lock(&mi);
        i = x;
        pthread_mutex_unlock(&mi);
    }
    return NULL;
}

static void *ra(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mi);
    int idx = i;
    pthread_mutex_unlock(&mi);
    pthread_mutex_lock(&ma[idx]);
    if (a[idx] == 1) {
        d++; // only one reader lives at a time
        a[idx] = 0;
    }
    pthread_mutex_unlock(&ma[idx]);
    return NULL;
}

int main(void)
{
    pthread_t writers[N];
    for (int x = 0; x < N; x++)
        pthread_mutex_init(&ma[x], NULL);
    for (int x = 0; x < N; x++)
        pthread_create(&writers[x], NULL, wa, (void *)(intptr_t)x);
    for (int round = 0; round < K; round++) {
        pthread_t c, r;
        pthread_create(&c, NULL, choice, NULL);
        pthread_create(&r, NULL, ra, NULL);
        pthread_join(c, NULL);
        pthread_join(r, NULL);
    }
    for (int x = 0; x < N; x++)
        pthread_join(writers[x], NULL);
    return 0;
}
