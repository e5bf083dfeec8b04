// A reader-writer lock made of a mutex and a condition variable.
// expect: ok
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing;
static int a, b;

static void *reader(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (writing)
        pthread_cond_wait(&changed, &lock);
    readers++;
    pthread_mutex_unlock(&lock);

    assert(a == b);

    pthread_mutex_lock(&lock);
    if (--readers == 0)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (writing || readers)
        pthread_cond_wait(&changed, &lock);
    writing = 1;
    pthread_mutex_unlock(&lock);

    a++;
    b++;

    pthread_mutex_lock(&lock);
    writing = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t r, w;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    assert(a == 1 && b == 1);
    return 0;
}
