// A barrier of two threads that turns its sense round: they meet twice.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define THREADS 2

static atomic_int arrived, sense;
static int cell[THREADS];

static void meet(int *my_sense)
{
    *my_sense = !*my_sense;
    if (atomic_fetch_add(&arrived, 1) == THREADS - 1) {
        arrived = 0;
        sense = *my_sense;
    } else {
        while (sense != *my_sense)
            ;
    }
}

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument, my_sense = 0;
    cell[i] = 1;
    meet(&my_sense);
    assert(cell[1 - i] == 1);
    meet(&my_sense);
    cell[i] = 2;
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
