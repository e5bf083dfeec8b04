// A thread ends the whole program with success, while main waits on a lock that is never free: no deadlock, an end.
// expect: ok
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static void *thread(void *unused)
{
    (void)unused;
    exit(0);
}

int main(void)
{
    sem_t never;
    sem_init(&never, 0, 0);
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    sem_wait(&never);
    return 0;
}
