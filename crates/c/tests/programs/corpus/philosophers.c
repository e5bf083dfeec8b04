// BUG: N dining philosophers that all take the left fork first can deadlock.
// litmus: philosophers N
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t fork_[N];

static void *philosopher(void *argument)
{
    intptr_t left = (intptr_t)argument, right = (left + 1) % N;
    pthread_mutex_lock(&fork_[left]);
    pthread_mutex_lock(&fork_[right]); // found here
    pthread_mutex_unlock(&fork_[right]);
    pthread_mutex_unlock(&fork_[left]);
    return NULL;
}

int main(void)
{
    pthread_t philosophers[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&philosophers[i], NULL, philosopher, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(philosophers[i], NULL);
    return 0;
}
