// BUG: a mutex is locked after it was destroyed by a thread that came first.
// expect: misuse
// classes: 4 (main sees that it was used; or destroys it before the lock, while it is held, after the unlock)
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int used;

static void *user(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock); // found here
    pthread_mutex_unlock(&lock);
    used = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, user, NULL);
    if (!used)
        pthread_mutex_destroy(&lock);
    pthread_join(t, NULL);
    return 0;
}
