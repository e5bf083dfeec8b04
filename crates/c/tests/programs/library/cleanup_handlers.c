// What pthread_cleanup_push was given is called when the thread ends by pthread_exit, the innermost first.
// expect: ok
// model: mutex m; lock m; unlock m | lock m; unlock m
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static __thread int order;

static void unlock(void *mutex)
{
    assert(order++ == 1);
    pthread_mutex_unlock(mutex);
}

static void first(void *unused)
{
    (void)unused;
    assert(order++ == 0);
}

static void leave(int exits)
{
    pthread_cleanup_push(first, NULL);
    if (exits)
        pthread_exit(&counter);
    pthread_cleanup_pop(1);
}

static void *thread(void *exits)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    counter++;
    leave(exits != NULL);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    void *result;
    pthread_create(&one, NULL, thread, &counter);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(one, &result);
    assert(result == &counter);
    pthread_join(other, &result);
    assert(result == NULL);
    return 0;
}
