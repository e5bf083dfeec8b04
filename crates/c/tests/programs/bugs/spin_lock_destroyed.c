// BUG: a spin lock is destroyed while another thread may still use it.
// expect: misuse
// classes: 3 (the destruction comes before, within or after its use)
#include <pthread.h>

static pthread_spinlock_t lock;

static void *user(void *unused)
{
    (void)unused;
    pthread_spin_lock(&lock); // found here
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&lock, 0);
    pthread_create(&t, NULL, user, NULL);
    pthread_spin_destroy(&lock); // found here
    pthread_join(t, NULL);
    return 0;
}
