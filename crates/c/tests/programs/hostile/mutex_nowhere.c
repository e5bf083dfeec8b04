// Two threads lock a mutex that is nowhere.
// expect: segfault
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t *lock;

static void *thread(void *unused)
{
    pthread_mutex_lock(lock); // found here
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, thread, NULL);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
