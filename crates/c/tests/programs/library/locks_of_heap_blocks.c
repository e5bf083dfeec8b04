// Two threads, each three times: a block with a mutex in it is allocated, used and freed.
// expect: bound
// options: --algorithm naive --max-executions 300000
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t mutex;
    atomic_int count;
};

static void *thread(void *unused)
{
    for (int i = 0; i < 3; i++) {
        struct counter *counter = malloc(sizeof *counter);
        pthread_mutex_init(&counter->mutex, NULL);
        atomic_init(&counter->count, 0);
        pthread_mutex_lock(&counter->mutex);
        pthread_mutex_unlock(&counter->mutex);
        atomic_fetch_add(&counter->count, 1);
        free(counter);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
