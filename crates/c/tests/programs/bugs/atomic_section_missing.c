// BUG: one of two threads increments in an atomic section, the other one does not.
// expect: assertion
// classes: 3 (the section comes before, between or after the other thread's read and write)
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int counter;

static void *careful(void *unused)
{
    __VERIFIER_atomic_begin();
    counter = counter + 1;
    __VERIFIER_atomic_end();
    return unused;
}

static void *careless(void *unused)
{
    counter = counter + 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, careful, NULL);
    pthread_create(&b, NULL, careless, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); // found here
    return 0;
}
