// A recursive mutex is locked for the second time when its memory may be freed.
// expect: misuse | use-after-free
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *m;

static void *thread(void *unused)
{
    free(m);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    m = malloc(sizeof *m);
    pthread_mutex_init(m, &recursive);
    pthread_mutex_lock(m);
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_mutex_lock(m); // found here
    pthread_join(t, NULL);
    return 0;
}
