// Plain data published by a store-release and read after a load-acquire.
// expect: ok
// classes: 2 (the flag is seen, or not)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *unused)
{
    (void)unused;
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 42);
    return NULL;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
