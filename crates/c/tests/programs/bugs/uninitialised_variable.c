// A variable that was never initialised decides whether a thread writes a variable.
// expect: uninitialised
// by gcc: ok
// flags: -w
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static int pick(int n)
{
    int which;
    if (n > 3)
        which = n;
    return which;
}

static void *thread(void *argument)
{
    if (pick(*(int *)argument) & 1)
        x = 1; // found here
    return NULL;
}

int main(void)
{
    int n = 2;
    pthread_t a;
    pthread_create(&a, NULL, thread, &n);
    int found = x;
    pthread_join(a, NULL);
    return found;
}
