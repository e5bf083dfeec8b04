// BUG: a thread spins for a flag that nobody sets when the other thread gives up.
// expect: deadlock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, giving_up;

static void *waiter(void *unused)
{
    (void)unused;
    giving_up = 1;
    while (!ready)
        ;
    return NULL;
}

static void *setter(void *unused)
{
    (void)unused;
    if (!giving_up)
        ready = 1;
    return NULL;
}

int main(void)
{
    pthread_t w, s;
    pthread_create(&w, NULL, waiter, NULL);
    pthread_create(&s, NULL, setter, NULL);
    pthread_join(w, NULL);
    pthread_join(s, NULL);
    return 0;
}
