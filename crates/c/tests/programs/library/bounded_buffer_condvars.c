// A buffer of one place with a condition variable for each side: two producers, one consumer.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define PLACES 1
#define PRODUCERS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[PLACES], count;

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (count == PLACES)
        pthread_cond_wait(&not_full, &lock);
    buffer[count++] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int get(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    int item = buffer[--count];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *producer(void *argument)
{
    put((int)(intptr_t)argument);
    return NULL;
}

int main(void)
{
    pthread_t producers[PRODUCERS];
    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&producers[i], NULL, producer, (void *)(intptr_t)(i + 1));
    int sum = 0;
    for (int i = 0; i < PRODUCERS; i++)
        sum += get();
    assert(sum == 3);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], NULL);
    return 0;
}
