// Cancels a thread.
// expect: refused pthread_cancel
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *thread(void *unused)
{
    sem_wait(&never);
    return unused;
}

int main(void)
{
    sem_init(&never, 0, 0);
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
