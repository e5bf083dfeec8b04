// A detached thread that main waits for by a semaphore.
// expect: ok
// classes: 1 (main goes on only after the post)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int value;

static void *thread(void *unused)
{
    (void)unused;
    value = 42;
    sem_post(&done);
    return NULL;
}

int main(void)
{
    sem_init(&done, 0, 0);
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_detach(t);
    sem_wait(&done);
    assert(value == 42);
    return 0;
}
