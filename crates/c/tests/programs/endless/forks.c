// Two philosophers for ever, who take the forks in different orders.
// expect: deadlock
// states: 11 (10 as the model has, and one before there is a second thread)
// model: mutex m, n; loop { lock m; lock n; unlock n; unlock m } | loop { lock n; lock m; unlock m; unlock n }
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void eat(pthread_mutex_t *first, pthread_mutex_t *second)
{
    for (;;) {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second); // found here
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
}

static void *other(void *unused)
{
    eat(&n, &m);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    eat(&m, &n);
}
