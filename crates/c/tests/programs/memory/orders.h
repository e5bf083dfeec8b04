// Short names of memory orders and operations, and two threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define AR memory_order_acq_rel
#define SC memory_order_seq_cst
#define load(x, o) atomic_load_explicit(x, o)
#define store(x, v, o) atomic_store_explicit(x, v, o)
#define add(x, v, o) atomic_fetch_add_explicit(x, v, o)
#define sub(x, v, o) atomic_fetch_sub_explicit(x, v, o)
#define swap(x, v, o) atomic_exchange_explicit(x, v, o)
#define cas(x, e, v, o, f) atomic_compare_exchange_strong_explicit(x, e, v, o, f)

static inline void both(void *(*first)(void *), void *(*second)(void *)) {
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
