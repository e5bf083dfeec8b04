// BUG: readers that want to become writers wait for themselves and for each other.
// expect: deadlock
// model: rwlock l; read_lock l; write_lock l; write_unlock l; read_unlock l | read_lock l; write_lock l; write_unlock l; read_unlock l
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *thread(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock); // found here
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
