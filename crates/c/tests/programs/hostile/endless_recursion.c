// Recurses until the stack is used up, in a thread: by the access or by the call, which is for the compiler to decide.
// expect: stack-overflow
// flags: -Wno-infinite-recursion
#include <pthread.h>

static int down(volatile int *above)
{
    volatile int here; return here = *above + 1, down(&here) + here; // found here
}

static void *thread(void *unused)
{
    volatile int start = 0;
    down(&start);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
