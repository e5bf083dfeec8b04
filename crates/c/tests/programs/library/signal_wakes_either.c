// BUG: two threads wait on one condition variable for different things, and a signal may wake the wrong one.
// expect: deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int a, b;

static void *waits_for_a(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!a)
        pthread_cond_wait(&changed, &lock);
    b = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *waits_for_b(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!b)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, waits_for_a, NULL);
    pthread_create(&u, NULL, waits_for_b, NULL);
    pthread_mutex_lock(&lock);
    a = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
