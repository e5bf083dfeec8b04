// Consumers of a bounded buffer wait with `if` instead of `while`: one that was overtaken takes what is not there.
// expect: assertion
#include <assert.h>
#include <pthread.h>

#define CONSUMERS 8
#define ITEMS 8

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    if (items == 0)
        pthread_cond_wait(&filled, &mutex);
    items--;
    assert(items >= 0); // found here
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t consumers[CONSUMERS];
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, consumer, NULL);
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        items++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(consumers[i], NULL);
    return 0;
}
