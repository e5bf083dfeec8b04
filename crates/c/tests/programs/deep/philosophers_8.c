// Eight philosophers, of whom each takes the left fork first: all of them must have theirs for the deadlock.
// expect: deadlock
#include <pthread.h>
#include <stdint.h>

#define SEATS 8

static pthread_mutex_t forks[SEATS];

static void *philosopher(void *argument)
{
    intptr_t seat = (intptr_t)argument;
    for (int meal = 0; meal < 2; meal++) {
        pthread_mutex_lock(&forks[seat]);
        pthread_mutex_lock(&forks[(seat + 1) % SEATS]);
        pthread_mutex_unlock(&forks[(seat + 1) % SEATS]);
        pthread_mutex_unlock(&forks[seat]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[SEATS];
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < SEATS; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)(intptr_t)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
