// Two threads that take turns by two semaphores.
// expect: ok
// classes: 1 (whoever is not in turn waits)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define ROUNDS 3

static sem_t ping, pong;
static int ball;

static void *first(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&ping);
        assert(ball == 2 * i);
        ball++;
        sem_post(&pong);
    }
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&pong);
        assert(ball == 2 * i + 1);
        ball++;
        sem_post(&ping);
    }
    return NULL;
}

int main(void)
{
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&ping);
    sem_destroy(&pong);
    return 0;
}
