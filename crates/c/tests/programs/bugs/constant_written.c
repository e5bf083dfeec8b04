// A constant is written. The optimiser of clang takes that for something that never happens, and removes it.
// expect: segfault
#include <pthread.h>

static const int constant = 5;

static void *thread(void *what)
{
    *(int *)what = 6; // found here
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, (void *)&constant);
    return pthread_join(t, 0);
}
