// Sections of two places are one where a third one touches memory of both.
// expect: ok
// classes: 24 (every order of the four sections)
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y;

static void *adds_to_x(void *unused)
{
    __VERIFIER_atomic_begin();
    x = x + 1;
    x = x + 1;
    __VERIFIER_atomic_end();
    return unused;
}

static void *adds_to_y(void *unused)
{
    __VERIFIER_atomic_begin();
    y = y + 1;
    y = y + 1;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i % 2 ? adds_to_x : adds_to_y, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    __VERIFIER_atomic_begin();
    assert(x == 4 && y == 4);
    __VERIFIER_atomic_end();
    return 0;
}
