// Whoever takes a robust mutex after its owner has ended is told so, and does not wait for ever.
// expect: refused a robust mutex
#include <pthread.h>

static pthread_mutex_t lock;

static void *thread(void *unused)
{
    pthread_mutex_lock(&lock);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&lock);
    return 0;
}
