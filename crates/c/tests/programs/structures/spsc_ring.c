// A ring buffer for one producer and one consumer: plain items, published by the two counters.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define ITEMS 3

static int ring[SIZE];
static atomic_uint written, read_;

static int offer(int item)
{
    unsigned w = atomic_load_explicit(&written, memory_order_relaxed);
    if (w - atomic_load_explicit(&read_, memory_order_acquire) == SIZE)
        return 0;
    ring[w % SIZE] = item;
    atomic_store_explicit(&written, w + 1, memory_order_release);
    return 1;
}

static int poll(int *item)
{
    unsigned r = atomic_load_explicit(&read_, memory_order_relaxed);
    if (atomic_load_explicit(&written, memory_order_acquire) == r)
        return 0;
    *item = ring[r % SIZE];
    atomic_store_explicit(&read_, r + 1, memory_order_release);
    return 1;
}

static void *producer(void *unused)
{
    (void)unused;
    int next = 1;
    for (int attempt = 0; attempt < ITEMS; attempt++)
        next += offer(next);
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    int expected = 1, item;
    for (int attempt = 0; attempt < ITEMS; attempt++) {
        if (poll(&item))
            assert(item == expected++);
    }
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
