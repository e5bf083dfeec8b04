// BUG: a ring buffer whose producer publishes the counter before the item is there.
// expect: race
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

static int ring[SIZE];
static atomic_uint written;
static int got;

static void *producer(void *unused)
{
    (void)unused;
    unsigned w = atomic_load(&written);
    atomic_store(&written, w + 1);
    ring[w % SIZE] = 42; // found here
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    if (atomic_load(&written) > 0)
        got = ring[0]; // found here
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
