// A function that its author calls pure reads an atomic variable: two calls are two, and what they answer differs if the writer comes
// between them.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

__attribute__((pure, noinline)) static int current(void) { return atomic_load(&value); }

static void *writer(void *unused)
{
    atomic_store(&value, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int first = current();
    assert(first == current()); // found here
    return pthread_join(thread, 0);
}
