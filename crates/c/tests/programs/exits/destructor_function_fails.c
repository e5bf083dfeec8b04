// A destructor function fails if it comes before a thread that nobody joined.
// expect: assertion
// classes: 2 (before and after)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done;

static void *thread(void *unused)
{
    done = 1;
    return unused;
}

__attribute__((destructor)) static void at_end(void)
{
    assert(done == 1); // found here
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_detach(t);
    return 0;
}
