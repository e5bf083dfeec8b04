// Three threads lock and unlock properly, nobody joins them: every order of the three is an execution.
// expect: assertion
// classes: 6 (every order)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void *thread(void *number)
{
    pthread_mutex_lock(&m);
    order = order * 10 + (int)(size_t)number;
    assert(order != 321); // found here
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    for (size_t i = 1; i <= 3; i++) {
        pthread_t t;
        pthread_create(&t, NULL, thread, (void *)i);
    }
    return 0;
}
