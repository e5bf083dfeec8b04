// BUG: a sequence lock whose writer counts only when it is done.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int a, b;

static void *writer(void *unused)
{
    (void)unused;
    a = 1;
    b = 1;
    atomic_fetch_add(&sequence, 2);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    unsigned before = sequence;
    int x = a, y = b;
    if (before % 2 == 0 && sequence == before)
        assert(x == y); // found here
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
