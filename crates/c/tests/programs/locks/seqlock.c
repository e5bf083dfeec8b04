// A sequence lock: a reader that sees an even, unchanged number saw both halves of one value.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int a, b;

static void *writer(void *unused)
{
    (void)unused;
    for (int value = 1; value <= 2; value++) {
        atomic_fetch_add(&sequence, 1);
        a = value;
        b = value;
        atomic_fetch_add(&sequence, 1);
    }
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    unsigned before = sequence;
    int x = a, y = b;
    if (before % 2 == 0 && sequence == before)
        assert(x == y);
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
