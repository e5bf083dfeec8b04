// A barrier that turns its sense round; two threads meet twice. Who comes last is all that differs, each time.
// expect: ok
// classes: 4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define N 2

static atomic_int arrived, sense;

static void meet(int mine)
{
    if (atomic_fetch_add(&arrived, 1) == N - 1) {
        atomic_store(&arrived, 0);
        atomic_store(&sense, mine);
    } else {
        while (atomic_load(&sense) != mine)
            ;
    }
}

static void *thread(void *unused)
{
    meet(1);
    meet(0);
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
