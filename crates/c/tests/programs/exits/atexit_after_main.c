// Main ends by pthread_exit, and another thread says only then what is to be called at the end of the program.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void last(void)
{
    assert(0); // found here
}

static void *thread(void *unused)
{
    atexit(last);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_detach(t);
    pthread_exit(0);
}
