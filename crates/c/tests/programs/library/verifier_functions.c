// What programs of verification competitions call: choices, assumptions, atomic blocks.
// expect: ok
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int counter;

static void *thread(void *unused)
{
    (void)unused;
    __VERIFIER_atomic_begin();
    counter = counter + 1;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    if (__VERIFIER_nondet_bool())
        thread(NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2 || counter == 3);
    __VERIFIER_assume(counter == 2);
    assert(counter == 2);
    return 0;
}
