// BUG: memory is freed with a mutex in it that another thread may still use.
// expect: misuse
// classes: 3 (the free comes before, within or after the use)
#include <pthread.h>
#include <stdlib.h>

static void *user(void *lock)
{
    pthread_mutex_lock(lock);   // found here
    pthread_mutex_unlock(lock); // found here
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_t *lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, NULL);
    pthread_create(&t, NULL, user, lock);
    free(lock);
    pthread_join(t, NULL);
    return 0;
}
