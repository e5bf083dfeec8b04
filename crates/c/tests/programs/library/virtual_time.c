// Clocks and sleeps: no real time passes, the clock never goes back, and sleeping orders nothing.
// expect: ok
// classes: 6 (three stores in any order)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;

static void *thread(void *argument)
{
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    sleep(3600);
    usleep(1000);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec >= before.tv_sec);
    x = (int)(intptr_t)argument;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
