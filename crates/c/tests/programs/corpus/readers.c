// One writer of x, and N readers that first look at a variable of their own.
// litmus: readers N
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int x;
static atomic_int loc[N];

static void *writer(void *unused)
{
    (void)unused;
    x = 1;
    return NULL;
}

static void *reader(void *argument)
{
    int i = (int)(intptr_t)argument;
    (void)atomic_load(&loc[i]);
    (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t w, r[N];
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&r[i], NULL, reader, (void *)(intptr_t)i);
    pthread_join(w, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(r[i], NULL);
    return 0;
}
