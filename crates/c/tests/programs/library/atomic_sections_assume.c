// A lock made of atomic sections that assume it to be free.
// expect: ok
// classes: 4 (who is first; and the other one, while it is held, is cut or comes after)
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int locked, inside;

static void acquire(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!locked);
    locked = 1;
    __VERIFIER_atomic_end();
}

static void release(void)
{
    __VERIFIER_atomic_begin();
    locked = 0;
    __VERIFIER_atomic_end();
}

static void *thread(void *unused)
{
    acquire();
    inside++;
    assert(inside == 1);
    inside--;
    release();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    thread(NULL);
    pthread_join(t, NULL);
    return 0;
}
