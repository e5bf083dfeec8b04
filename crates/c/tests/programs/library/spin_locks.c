// POSIX spin locks.
// expect: ok
// model: mutex m; lock m; unlock m | lock m; unlock m | lock m; unlock m
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int protected;

static void *thread(void *unused)
{
    (void)unused;
    pthread_spin_lock(&lock);
    protected++;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(protected == 3);
    pthread_spin_destroy(&lock);
    return 0;
}
