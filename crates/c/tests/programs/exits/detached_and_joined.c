// BUG: one thread detaches what another one joins, in whichever order.
// expect: misuse
#include <pthread.h>
#include <stdatomic.h>

static pthread_t worker;
static atomic_int started;

static void *work(void *unused)
{
    return unused;
}

static void *detach(void *unused)
{
    atomic_load(&started);
    pthread_detach(worker);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&other, NULL, detach, NULL);
    atomic_store(&started, 1);
    pthread_join(worker, NULL);
    pthread_join(other, NULL);
    return 0;
}
