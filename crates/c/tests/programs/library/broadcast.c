// A gate: two threads wait until main opens it for all.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define THREADS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static bool open_;
static int through;

static void *thread(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!open_)
        pthread_cond_wait(&opened, &lock);
    through++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    pthread_mutex_lock(&lock);
    open_ = true;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(through == THREADS);
    return 0;
}
