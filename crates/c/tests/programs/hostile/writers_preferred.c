// Where a writer waits, this lock lets no further reader in: a thread that reads twice waits for the writer, which waits for it.
// expect: refused prefers writers
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock;

static void *thread(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_rwlockattr_t writers;
    pthread_rwlockattr_init(&writers);
    pthread_rwlockattr_setkind_np(&writers, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &writers);
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
