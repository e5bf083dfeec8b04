// BUG: main sleeps for a second in place of waiting.
// expect: assertion
// model: var done; main: t = spawn { done = 1 }; r = done; assert r == 1, "in time"; join t
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;

static void *thread(void *unused)
{
    (void)unused;
    done = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    sleep(1);
    assert(done); // found here
    pthread_join(t, NULL);
    return 0;
}
