// BUG: Lamport's bakery without the flags that say that a thread is choosing its number: both can be inside.
// expect: race
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int number[2];
static int protected;

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument, other = 1 - i;
    int mine = number[other] + 1;
    number[i] = mine;
    for (;;) {
        int n = number[other];
        if (n == 0 || n > mine || (n == mine && other > i))
            break;
    }
    protected++; // found here
    number[i] = 0;
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
