// A semaphore, a barrier and a recursive mutex are initialised before main.
// expect: ok
// classes: 1 (nobody asks who comes last to the barrier)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static pthread_barrier_t barrier;
static pthread_mutex_t lock;

__attribute__((constructor)) static void initialise(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    sem_init(&ready, 0, 1);
    pthread_barrier_init(&barrier, NULL, 2);
}

static void *thread(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t t;
    assert(sem_trywait(&ready) == 0 && sem_trywait(&ready) == -1);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, thread, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
    return 0;
}
