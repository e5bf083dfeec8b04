// A ticket lock for ever, whose numbers begin anew after 2 bits.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint next, serving;
static int inside;

static void *run(void *unused)
{
    for (;;) {
        unsigned mine = next;
        while (!atomic_compare_exchange_strong(&next, &mine, (mine + 1) & 3)) {
        }
        while (serving != mine) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        serving = (mine + 1) & 3;
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
}
