// BUG: a mutex on the heap is locked without having been initialised.
// expect: misuse
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_mutex_t *lock = malloc(sizeof *lock);
    pthread_mutex_lock(lock); // found here
    pthread_mutex_unlock(lock);
    free(lock);
    return 0;
}
