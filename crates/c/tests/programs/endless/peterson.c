// Peterson's mutual exclusion for ever, with a plain variable inside.
// expect: ok
// model: var f, g, turn, x; loop { f = 1; turn = 1; loop { r = g; s = turn; if !(r == 1 && s == 1) { break } }; x += 1; a = x; assert a == 1, "alone"; x = 0; f = 0 } | loop { g = 1; turn = 0; loop { r = f; s = turn; if !(r == 1 && s == 0) { break } }; x += 1; a = x; assert a == 1, "alone"; x = 0; g = 0 }
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
        while (wants[1 - me] && turn == 1 - me) {
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
