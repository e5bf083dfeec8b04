// A producer hands N items to a consumer over a buffer of P places, with two semaphores.
// litmus: bounded_buffer N P
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N 2
#endif
#ifndef P
#define P 1
#endif

static int buffer[P];
static sem_t free_places, full_places;

static void *producer(void *unused)
{
    (void)unused;
    for (int item = 0; item < N; item++) {
        sem_wait(&free_places);
        buffer[item % P] = item + 1;
        sem_post(&full_places);
    }
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    for (int item = 0; item < N; item++) {
        sem_wait(&full_places);
        assert(buffer[item % P] == item + 1);
        sem_post(&free_places);
    }
    return NULL;
}

int main(void)
{
    pthread_t p, c;
    sem_init(&free_places, 0, P);
    sem_init(&full_places, 0, 0);
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
