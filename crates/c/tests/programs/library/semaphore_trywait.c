// One permit, two threads that try to take it: one gets it, or both in turn.
// expect: ok
// model: semaphore s = 1; r = try_acquire s; if r { release s } | r = try_acquire s; if r { release s }
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;
static int protected;

static void *thread(void *unused)
{
    (void)unused;
    if (sem_trywait(&permits) == 0) {
        protected++;
        sem_post(&permits);
    } else {
        assert(errno == EAGAIN);
    }
    return NULL;
}

int main(void)
{
    sem_init(&permits, 0, 1);
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int left;
    sem_getvalue(&permits, &left);
    assert(left == 1 && protected >= 1);
    return 0;
}
