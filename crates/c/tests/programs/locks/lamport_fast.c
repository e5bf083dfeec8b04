// Lamport's second fast mutual exclusion of two threads, waiting by looking again.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

static atomic_int x, y, b[N + 1];
static int protected;

static void lock(int i)
{
    for (;;) {
        b[i] = 1;
        x = i;
        if (y != 0) {
            b[i] = 0;
            while (y != 0)
                sched_yield();
            continue;
        }
        y = i;
        if (x == i)
            return;
        b[i] = 0;
        for (int j = 1; j <= N; j++) {
            while (b[j])
                sched_yield();
        }
        if (y == i)
            return;
        while (y != 0)
            sched_yield();
    }
}

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument;
    lock(i);
    protected++;
    y = 0;
    b[i] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[N + 1];
    for (int i = 1; i <= N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 1; i <= N; i++)
        pthread_join(threads[i], NULL);
    assert(protected == N);
    return 0;
}
