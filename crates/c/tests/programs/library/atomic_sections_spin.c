// A lock made of atomic sections, for which threads wait by trying again.
// expect: ok
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int locked, counter;

static int try_acquire(void)
{
    __VERIFIER_atomic_begin();
    int is_free = !locked;
    if (is_free)
        locked = 1;
    __VERIFIER_atomic_end();
    return is_free;
}

static void *thread(void *unused)
{
    while (!try_acquire())
        ;
    counter++;
    __VERIFIER_atomic_begin();
    locked = 0;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
