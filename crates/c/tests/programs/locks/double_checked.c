// Double-checked locking done right: the pointer is atomic.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int value;
};

static _Atomic(struct config *) config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void)
{
    struct config *found = atomic_load_explicit(&config, memory_order_acquire);
    if (!found) {
        pthread_mutex_lock(&lock);
        found = atomic_load_explicit(&config, memory_order_relaxed);
        if (!found) {
            found = malloc(sizeof *found);
            found->value = 42;
            atomic_store_explicit(&config, found, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return found;
}

static void *thread(void *unused)
{
    (void)unused;
    assert(get()->value == 42);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(config);
    return 0;
}
