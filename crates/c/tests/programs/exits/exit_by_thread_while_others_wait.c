// A thread ends the program while the others wait for a condition: no deadlock, and both orders of who waits are explored.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *waits(void *unused)
{
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_wait(&never, &m);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *ends(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    assert(waiting != 1); // found here
    pthread_mutex_unlock(&m);
    exit(0);
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, waits, NULL);
    pthread_create(&b, NULL, waits, NULL);
    pthread_create(&c, NULL, ends, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
