// BUG: Peterson's mutual exclusion with the two first lines swapped: both can be inside.
// expect: race
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int protected;

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument, other = 1 - i;
    turn = other;
    wants[i] = 1;
    while (wants[other] && turn == other)
        ;
    protected++; // found here
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
    return 0;
}
