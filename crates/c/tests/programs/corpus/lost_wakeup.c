// BUG: a waiter looks at the flag before it takes the lock, and can miss the notification.
// litmus: lost_wakeup
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused)
{
    (void)unused;
    if (!ready) {
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m); // found here
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *notifier(void *unused)
{
    (void)unused;
    ready = 1;
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t w, n;
    pthread_create(&w, NULL, waiter, NULL);
    pthread_create(&n, NULL, notifier, NULL);
    pthread_join(w, NULL);
    pthread_join(n, NULL);
    return 0;
}
