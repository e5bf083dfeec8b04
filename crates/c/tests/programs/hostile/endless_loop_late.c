// A loop without an end and without an event, in one of two orders only.
// expect: hang
// options: --hang-after 500ms
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int set;

static void *sets(void *unused)
{
    set = 1;
    return unused;
}

static void *loops(void *unused)
{
    volatile int n = 0;
    if (set)
        for (;;)
            n = 0;
    return unused;
}

int main(void)
{
    pthread_t looping, setting;
    pthread_create(&looping, NULL, loops, NULL);
    pthread_create(&setting, NULL, sets, NULL);
    pthread_join(looping, NULL);
    pthread_join(setting, NULL);
    return 0;
}
