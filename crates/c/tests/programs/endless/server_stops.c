// A server that waits for requests without looking for one first: the only one may come too early, and none comes after it.
// expect: deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int requests;

static void *server(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        requests = 0;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, server, NULL);
    pthread_mutex_lock(&m);
    requests = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
}
