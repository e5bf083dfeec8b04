// A thread releases a reader-writer lock that it does not hold, while another one may hold it for writing, for reading, or not at all.
// expect: misuse
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *holder(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, holder, 0);
    pthread_rwlock_unlock(&lock); // found here
    return pthread_join(thread, 0);
}
