// The same without a turn: two threads get in.
// expect: race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static int inside;

static void *run(void *argument)
{
    long me = (long)argument;
    for (;;) {
        wants[me] = 1;
        turn = 1 - me;
        while (turn == 1 - me && !wants[me]) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        wants[me] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, (void *)1);
    run((void *)0);
}
