// Threads insert four messages each into a hash table of 128 places; the first collisions are at 12 threads.
// litmus: indexer T
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef T
#define T 12
#endif
#define SIZE 128
#define MAX 4

static atomic_int table[SIZE];

static void *thread(void *argument)
{
    int tid = (int)(intptr_t)argument;
    for (int m = 1; m <= MAX; m++) {
        int w = 11 * m + tid;
        int h = 7 * w % SIZE;
        for (;;) {
            int expected = 0;
            if (atomic_compare_exchange_strong(&table[h], &expected, w))
                break;
            h = (h + 1) % SIZE;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[T];
    for (int i = 0; i < T; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < T; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
