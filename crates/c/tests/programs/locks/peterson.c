// Peterson's mutual exclusion of two threads.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int protected;

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument, other = 1 - i;
    wants[i] = 1;
    turn = other;
    while (wants[other] && turn == other)
        ;
    protected++;
    wants[i] = 0;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)(intptr_t)0);
    pthread_create(&b, NULL, thread, (void *)(intptr_t)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(protected == 2);
    return 0;
}
