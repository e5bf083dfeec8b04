// A reader must overtake a writer between each of its three steps: a bug that needs four orders at once.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define IDLE 6

static atomic_int stage, seen, idle[IDLE];

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= 3; i++)
        atomic_store(&stage, i);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    int right = 1;
    for (int i = 1; i <= 3; i++)
        right &= atomic_load(&stage) == i;
    assert(!right); // found here
    return NULL;
}

static void *other(void *argument)
{
    atomic_int *own = argument;
    for (int i = 0; i < 2; i++) {
        int found = atomic_load(&seen);
        atomic_store(own, found);
        atomic_store(&seen, found + 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[IDLE + 2];
    for (int i = 0; i < IDLE; i++)
        pthread_create(&threads[i], NULL, other, &idle[i]);
    pthread_create(&threads[IDLE], NULL, reader, NULL);
    pthread_create(&threads[IDLE + 1], NULL, writer, NULL);
    for (int i = 0; i < IDLE + 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
