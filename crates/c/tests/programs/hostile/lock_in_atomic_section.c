// A mutex is locked within an atomic section, which can then wait and be one step no more.
// expect: refused lock
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused)
{
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
