// P producers change a common buffer twice, and hand a request to the one of W workers that it then names.
// litmus: mpc P W
#include <pthread.h>
#include <stdint.h>

#ifndef P
#define P 2
#endif
#ifndef W
#define W 3
#endif

static pthread_mutex_t pm = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mut[W];
static uint32_t buf;
static int req[W];

static void *worker(void *argument)
{
    intptr_t i = (intptr_t)argument;
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&mut[i]);
        if (req[i] > 0)
            req[i]--;
        pthread_mutex_unlock(&mut[i]);
    }
    return NULL;
}

static void *producer(void *argument)
{
    uint32_t i = (uint32_t)(intptr_t)argument;
    uint32_t d = 0;
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&pm);
        buf = buf * P + i;
        d = buf;
        pthread_mutex_unlock(&pm);
    }
    d %= W;
    pthread_mutex_lock(&mut[d]);
    req[d]++;
    pthread_mutex_unlock(&mut[d]);
    return NULL;
}

int main(void)
{
    pthread_t workers[W], producers[P];
    for (int i = 0; i < W; i++)
        pthread_mutex_init(&mut[i], NULL);
    for (int i = 0; i < W; i++)
        pthread_create(&workers[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < P; i++)
        pthread_create(&producers[i], NULL, producer, (void *)(intptr_t)i);
    for (int i = 0; i < W; i++)
        pthread_join(workers[i], NULL);
    for (int i = 0; i < P; i++)
        pthread_join(producers[i], NULL);
    return 0;
}
