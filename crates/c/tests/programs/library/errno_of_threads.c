// errno belongs to the thread.
// expect: ok
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

static void *thread(void *argument)
{
    int mine = (int)(intptr_t)argument;
    errno = mine;
    sched_yield();
    assert(errno == mine);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)(intptr_t)1);
    pthread_create(&b, NULL, thread, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
