// Threads have numbers of their own, and main that of the process.
// expect: ok
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static pid_t numbers[2];

static void *thread(void *place)
{
    *(pid_t *)place = gettid();
    assert(sched_getcpu() >= 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, &numbers[0]);
    pthread_create(&b, NULL, thread, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(gettid() == getpid() && numbers[0] != numbers[1] && numbers[0] != getpid() && numbers[1] != getpid());
    return 0;
}
