// One thread adds j to i, the other i to j, while main reads both. Called fib in TACAS'18.
// litmus: fib_bench N
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int i = 1, j = 1;

static void *t1(void *unused)
{
    (void)unused;
    for (int k = 0; k < N; k++) {
        int sum = i;
        sum += j;
        i = sum;
    }
    return NULL;
}

static void *t2(void *unused)
{
    (void)unused;
    for (int k = 0; k < N; k++) {
        int sum = j;
        sum += i;
        j = sum;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, t2, NULL);
    (void)atomic_load(&i);
    (void)atomic_load(&j);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
