// BUG: main joins a thread while it holds the lock that the thread needs.
// expect: deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock); // found here
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_mutex_lock(&lock);
    pthread_join(t, NULL); // found here
    pthread_mutex_unlock(&lock);
    return 0;
}
