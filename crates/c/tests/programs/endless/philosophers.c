// Three philosophers for ever, of whom the last one takes the forks in the other order.
// expect: ok
// model: mutex a, b, c; loop { lock a; lock b; unlock b; unlock a } | loop { lock b; lock c; unlock c; unlock b } | loop { lock a; lock c; unlock c; unlock a }
#include <pthread.h>
#include <stddef.h>

#define N 3
static pthread_mutex_t forks[N];

static void *eat(void *argument)
{
    long seat = (long)argument, left = seat, right = (seat + 1) % N;
    pthread_mutex_t *first = &forks[left < right ? left : right], *second = &forks[left < right ? right : left];
    for (;;) {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 1; i < N; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, eat, (void *)i);
    }
    eat((void *)0);
}
