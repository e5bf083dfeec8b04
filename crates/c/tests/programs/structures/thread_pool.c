// Two workers take jobs from a list under a mutex and a condition variable, until they are told to stop.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define WORKERS 2
#define JOBS 2

struct job {
    struct job *next;
    int number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct job *jobs;
static bool stopping;
static int done;

static void submit(int number)
{
    struct job *job = malloc(sizeof *job);
    job->number = number;
    pthread_mutex_lock(&lock);
    job->next = jobs;
    jobs = job;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!jobs && !stopping)
            pthread_cond_wait(&changed, &lock);
        if (!jobs)
            break;
        struct job *job = jobs;
        jobs = job->next;
        done += job->number;
        free(job);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    for (int number = 1; number <= JOBS; number++)
        submit(number);
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    assert(done == JOBS * (JOBS + 1) / 2);
    return 0;
}
