// Counts for ever in a variable that others look at: no run ends.
// expect: bound
// options: --max-steps 2000 --max-executions 20
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint counter;

static void *thread(void *unused)
{
    for (;;)
        atomic_fetch_add(&counter, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    (void)atomic_load(&counter);
    pthread_join(t, NULL);
    return 0;
}
