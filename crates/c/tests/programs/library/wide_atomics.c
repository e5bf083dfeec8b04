// Atomic structs of 16 and of 32 bytes: read and written at once.
// expect: ok
// classes: 4 (each of two reads comes before or after the write of the same variable)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long a, b;
};
struct four {
    long a, b, c, d;
};

static _Atomic struct pair pair;
static _Atomic struct four four;

static void *writer(void *unused)
{
    struct pair old = {0, 0}, new = {1, 1};
    assert(atomic_compare_exchange_strong(&pair, &old, new));
    struct four all = {2, 2, 2, 2};
    atomic_store(&four, all);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    struct pair two = atomic_load(&pair);
    struct four all = atomic_load(&four);
    assert(two.a == two.b);
    assert(all.a == all.b && all.b == all.c && all.c == all.d);
    pthread_join(t, NULL);
    struct pair new = {3, 3}, old = atomic_exchange(&pair, new);
    assert(old.a == 1 && old.b == 1);
    return 0;
}
