// A sequence lock whose reader tries again: all that it sees at last is from before the write, or from after it.
// expect: ok
// classes: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sequence, left, right, begun;

static void *writer(void *unused)
{
    atomic_store(&sequence, 1);
    atomic_store(&left, 1);
    atomic_store(&right, 1);
    atomic_store(&sequence, 2);
    return unused;
}

__attribute__((noinline)) static int is_read(void)
{
    int before = atomic_load(&sequence);
    int a = atomic_load(&left), b = atomic_load(&right);
    if (before % 2 || atomic_load(&sequence) != before)
        return 0;
    assert(a == b);
    return 1;
}

static void *reader(void *unused)
{
    atomic_store(&begun, 1);
    while (!is_read())
        ;
    return unused;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    assert(begun);
    return 0;
}
