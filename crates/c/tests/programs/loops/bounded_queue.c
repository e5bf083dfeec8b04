// A bounded queue for many producers and consumers (Vyukov's): each thread enqueues, then dequeues.
// expect: ok
// classes: 12
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2
#define SIZE 2

struct slot {
    atomic_uint turn;
    int value;
};

static struct slot slots[SIZE];
static atomic_uint enqueued, dequeued;

static int enqueue(int value)
{
    unsigned at = atomic_load(&enqueued);
    for (;;) {
        struct slot *slot = &slots[at % SIZE];
        int ahead = (int)(atomic_load(&slot->turn) - at);
        if (ahead == 0) {
            if (atomic_compare_exchange_strong(&enqueued, &at, at + 1)) {
                slot->value = value;
                atomic_store(&slot->turn, at + 1);
                return 1;
            }
        } else if (ahead < 0) {
            return 0;
        } else {
            at = atomic_load(&enqueued);
        }
    }
}

static int dequeue(int *value)
{
    unsigned at = atomic_load(&dequeued);
    for (;;) {
        struct slot *slot = &slots[at % SIZE];
        int ahead = (int)(atomic_load(&slot->turn) - (at + 1));
        if (ahead == 0) {
            if (atomic_compare_exchange_strong(&dequeued, &at, at + 1)) {
                *value = slot->value;
                atomic_store(&slot->turn, at + SIZE);
                return 1;
            }
        } else if (ahead < 0) {
            return 0;
        } else {
            at = atomic_load(&dequeued);
        }
    }
}

static void *thread(void *argument)
{
    int value;
    assert(enqueue(1 + (int)(intptr_t)argument));
    dequeue(&value);
    return NULL;
}

int main(void)
{
    for (unsigned i = 0; i < SIZE; i++)
        atomic_init(&slots[i].turn, i);
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
