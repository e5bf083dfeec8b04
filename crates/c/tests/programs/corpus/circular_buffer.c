// A sender and a receiver, N rounds each, with one mutex around each round.
// litmus: circular_buffer N
#include <pthread.h>
#include <stdbool.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int buffer[N];
static unsigned first, next;
static bool send = true, receive;
static int seen;

static void *sender(void *unused)
{
    (void)unused;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        if (send) {
            buffer[next] = i;
            next = (next + 1) % N;
            receive = true;
        }
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *receiver(void *unused)
{
    (void)unused;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        if (receive) {
            seen = buffer[first];
            first = (first + 1) % N;
            receive = false;
            send = true;
        }
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t s, r;
    pthread_create(&s, NULL, sender, NULL);
    pthread_create(&r, NULL, receiver, NULL);
    pthread_join(s, NULL);
    pthread_join(r, NULL);
    return 0;
}
