// A thread hands out the address of a variable of its own, and ends. Main uses it after that.
// expect: stack-returned
#include <pthread.h>

static int *shown;

static void *thread(void *unused)
{
    int local = 3;
    shown = &local;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return *shown - 3; // found here
}
