// Writers make each element of an array one more than the one before; a reader looks for the last zero.
// litmus: lastzero N
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int array[N + 1];

static void *reader(void *unused)
{
    (void)unused;
    int i = N;
    while (i > 0 && array[i] != 0)
        i--;
    return NULL;
}

static void *writer(void *argument)
{
    int j = (int)(intptr_t)argument;
    array[j] = array[j - 1] + 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, reader, NULL);
    for (int j = 1; j <= N; j++)
        pthread_create(&threads[j], NULL, writer, (void *)(intptr_t)j);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
