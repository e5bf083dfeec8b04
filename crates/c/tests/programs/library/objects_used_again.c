// A mutex and a condition variable are destroyed, and others begin where they were, without a call that initialises them.
// expect: ok
// classes: 4 (in each of two rounds, main waits for the signal or comes after it)
#include <pthread.h>

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ready;
};

static void *other(void *argument)
{
    struct meeting *meeting = argument;
    pthread_mutex_lock(&meeting->lock);
    meeting->ready = 1;
    pthread_cond_signal(&meeting->changed);
    pthread_mutex_unlock(&meeting->lock);
    return NULL;
}

static void meet(void)
{
    pthread_t t;
    struct meeting meeting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
    pthread_create(&t, NULL, other, &meeting);
    pthread_mutex_lock(&meeting.lock);
    while (!meeting.ready)
        pthread_cond_wait(&meeting.changed, &meeting.lock);
    pthread_mutex_unlock(&meeting.lock);
    pthread_join(t, NULL);
    pthread_cond_destroy(&meeting.changed);
    pthread_mutex_destroy(&meeting.lock);
}

int main(void)
{
    meet();
    meet();
    return 0;
}
