// What a thread waits for depends on what it found before, and keeps where only it looks. In a run in which it found 1, a
// look that finds 2 is a round without effect; in one in which it found 0, it is the bug.
// expect: assertion
// options: --no-bug-first
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

__attribute__((noinline)) static void look(int *mine)
{
    *mine = atomic_load(&x);
}

__attribute__((noinline)) static void wait_for(const int *mine)
{
    for (;;) {
        int found = atomic_load(&y);
        if (found == 3)
            return;
        if (found == *mine + 2)
            assert(found == 3); // found here
    }
}

static void *waits(void *unused)
{
    int *mine = malloc(sizeof *mine);
    if (mine != NULL) {
        look(mine);
        wait_for(mine);
    }
    free(mine);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    atomic_store(&x, 1);
    atomic_store(&y, 2);
    atomic_store(&y, 3);
    pthread_join(thread, NULL);
    return 0;
}
