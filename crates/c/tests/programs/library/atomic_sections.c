// An atomic section is one step for everybody, also for accesses outside of all sections.
// expect: ok
// classes: 3 (the section comes before, between or after the two reads)
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y;

static void *writer(void *unused)
{
    __VERIFIER_atomic_begin();
    x = 1;
    y = 1;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int seen_x = x;
    int seen_y = y;
    pthread_join(t, NULL);
    assert(!(seen_x && !seen_y));
    return 0;
}
