// Lamport's bakery for two threads.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

static atomic_int choosing[N], number[N];
static int protected;

static void lock(int i)
{
    choosing[i] = 1;
    int largest = 0;
    for (int j = 0; j < N; j++) {
        int n = number[j];
        if (n > largest)
            largest = n;
    }
    number[i] = largest + 1;
    choosing[i] = 0;
    for (int j = 0; j < N; j++) {
        if (j == i)
            continue;
        while (choosing[j])
            ;
        for (;;) {
            int n = number[j];
            if (n == 0 || n > largest + 1 || (n == largest + 1 && j > i))
                break;
        }
    }
}

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument;
    lock(i);
    protected++;
    number[i] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(protected == N);
    return 0;
}
