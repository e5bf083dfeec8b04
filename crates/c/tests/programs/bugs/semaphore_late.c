// BUG: a semaphore is initialised after the thread was created that waits for it.
// expect: misuse
// classes: 2 (the wait comes before or after the initialisation)
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
    pthread_create(&t, NULL, waiter, NULL);
    sem_init(&ready, 0, 1);
    pthread_join(t, NULL);
    sem_destroy(&ready);
    return 0;
}
