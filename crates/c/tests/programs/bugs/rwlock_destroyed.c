// BUG: a reader-writer lock is destroyed while another thread may still read.
// expect: misuse
// classes: 3 (the destruction comes before, within or after the reading)
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&lock); // found here
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    pthread_rwlock_destroy(&lock); // found here
    pthread_join(t, NULL);
    return 0;
}
