// BUG: two threads take two permits each of two, and can hold one each for ever.
// expect: deadlock
// model: semaphore s = 2; acquire s; acquire s; release s; release s | acquire s; acquire s; release s; release s
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;

static void *thread(void *unused)
{
    (void)unused;
    sem_wait(&permits);
    sem_wait(&permits); // found here
    sem_post(&permits);
    sem_post(&permits);
    return NULL;
}

int main(void)
{
    sem_init(&permits, 0, 2);
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
