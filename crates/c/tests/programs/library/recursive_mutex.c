// A recursive mutex is free again when it was unlocked as often as it was locked.
// expect: ok
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int a, b;

static void inner(void)
{
    pthread_mutex_lock(&lock);
    b++;
    pthread_mutex_unlock(&lock);
}

static void *thread(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    a++;
    inner();
    assert(a == b);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_t t, u;
    pthread_create(&t, NULL, thread, NULL);
    pthread_create(&u, NULL, thread, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(a == 2 && b == 2);
    pthread_mutex_destroy(&lock);
    return 0;
}
