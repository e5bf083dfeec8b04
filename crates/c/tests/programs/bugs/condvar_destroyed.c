// BUG: a condition variable is destroyed while another thread may still signal it.
// expect: misuse
// classes: 2 (the signal comes before or after the destruction)
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *signaller(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&changed); // found here
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, signaller, NULL);
    pthread_cond_destroy(&changed);
    pthread_join(t, NULL);
    return 0;
}
