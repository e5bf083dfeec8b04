// Two locks in opposite order, the second by a try-lock: no deadlock, and one of them may go without.
// expect: ok
// model: mutex a, b; lock a; r = try_lock b; if r { unlock b }; unlock a | lock b; r = try_lock a; if r { unlock a }; unlock b
#include <errno.h>
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    int result = pthread_mutex_trylock(second);
    if (result == 0)
        pthread_mutex_unlock(second);
    else
        assert(result == EBUSY);
    pthread_mutex_unlock(first);
}

static void *forwards(void *unused)
{
    (void)unused;
    both(&a, &b);
    return NULL;
}

static void *backwards(void *unused)
{
    (void)unused;
    both(&b, &a);
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, forwards, NULL);
    pthread_create(&u, NULL, backwards, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
