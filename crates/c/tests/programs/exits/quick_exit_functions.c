// What a program wants to be called at its quick end is called in every execution: in some, the thread has written by then.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int written;

static void last(void)
{
    assert(written == 0); // found here
}

static void *writer(void *unused)
{
    written = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    at_quick_exit(last);
    pthread_create(&thread, 0, writer, 0);
    quick_exit(0);
}
