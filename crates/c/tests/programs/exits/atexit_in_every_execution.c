// Functions that atexit was given run in every execution, the last one first, and before destructor functions.
// expect: assertion
// classes: 2 (before and after)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
static int order;

static void last(void)
{
    assert(order == 1);
    order = 2;
}

static void first(void)
{
    assert(order == 0);
    order = 1;
    assert(done == 0); // found here
}

__attribute__((constructor)) static void before_main(void)
{
    atexit(last);
}

__attribute__((destructor)) static void at_end(void)
{
    assert(order == 2);
}

static void *thread(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    atexit(first);
    pthread_create(&t, NULL, thread, NULL);
    return 0;
}
