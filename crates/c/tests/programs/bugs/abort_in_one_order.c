// BUG: abort is called in one order of two.
// expect: abort
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void *setter(void *unused)
{
    (void)unused;
    ready = 1;
    return NULL;
}

int main(void)
{
    pthread_t s;
    pthread_create(&s, NULL, setter, NULL);
    if (!ready)
        abort(); // found here
    pthread_join(s, NULL);
    return 0;
}
