// Try-locks of a reader-writer lock: readers share, a writer is alone.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock;
static atomic_int readers, writers;

static void *reader(void *unused)
{
    (void)unused;
    if (pthread_rwlock_tryrdlock(&lock) == 0) {
        readers++;
        assert(writers == 0);
        readers--;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        writers++;
        assert(readers == 0);
        writers--;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_rwlock_init(&lock, NULL);
    pthread_t r, w;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    pthread_rwlock_destroy(&lock);
    return 0;
}
