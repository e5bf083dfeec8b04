// A spin lock by compare-exchange that looks first, with a pause in the loop.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int held;
static int protected;

static void *thread(void *unused)
{
    (void)unused;
    for (;;) {
        while (atomic_load_explicit(&held, memory_order_relaxed))
            sched_yield();
        int free_ = 0;
        if (atomic_compare_exchange_weak_explicit(&held, &free_, 1, memory_order_acquire, memory_order_relaxed))
            break;
    }
    protected++;
    atomic_store_explicit(&held, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(protected == 2);
    return 0;
}
