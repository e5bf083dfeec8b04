// Thread-specific storage of the C11 library, with a destructor; a recursive mutex; a try-lock.
// expect: ok
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static mtx_t lock;
static atomic_int destroyed;

static void destroy(void *value)
{
    free(value);
    destroyed++;
}

static int thread(void *unused)
{
    (void)unused;
    tss_set(key, malloc(1));
    if (mtx_trylock(&lock) == thrd_success) {
        mtx_lock(&lock);
        mtx_unlock(&lock);
        mtx_unlock(&lock);
        return 1;
    }
    return 0;
}

int main(void)
{
    tss_create(&key, destroy);
    mtx_init(&lock, mtx_plain | mtx_recursive);
    thrd_t a, b;
    int first, second;
    thrd_create(&a, thread, NULL);
    thrd_create(&b, thread, NULL);
    thrd_join(a, &first);
    thrd_join(b, &second);
    assert(first + second >= 1 && destroyed == 2);
    mtx_destroy(&lock);
    tss_delete(key);
    return 0;
}
