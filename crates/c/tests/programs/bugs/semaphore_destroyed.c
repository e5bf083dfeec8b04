// BUG: a semaphore is destroyed while a thread may still wait for it.
// expect: misuse
// classes: 2 (the wait comes after the post, and before or after the destruction)
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;

static void *waiter(void *unused)
{
    (void)unused;
    sem_wait(&ready); // found here
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, waiter, NULL);
    sem_post(&ready);
    sem_destroy(&ready);
    pthread_join(t, NULL);
    return 0;
}
