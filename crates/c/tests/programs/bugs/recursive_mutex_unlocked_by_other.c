// A thread that does not hold a recursive mutex unlocks it: the call says no, and the one who holds it still does.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static int unlocked;

static void *thread(void *unused)
{
    unlocked = pthread_mutex_unlock(&m) == 0;
    return unused;
}

int main(void)
{
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &recursive);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(unlocked); // found here
    return 0;
}
