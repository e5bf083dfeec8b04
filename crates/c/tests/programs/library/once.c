// pthread_once: the routine runs once, and is done before anyone goes on.
// expect: ok
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, value;

static void routine(void)
{
    runs++;
    value = 42;
}

static void *thread(void *unused)
{
    (void)unused;
    pthread_once(&once, routine);
    assert(runs == 1 && value == 42);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(runs == 1);
    return 0;
}
