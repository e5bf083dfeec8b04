// Two threads access memory below a stack, where nothing is.
// expect: segfault
#include <pthread.h>

static int *nowhere;

static void *thread(void *unused)
{
    *nowhere = 1; // found here
    return unused;
}

int main(void)
{
    char local;
    pthread_t one, other;
    nowhere = (int *)(((unsigned long)&local - (20 << 20)) & ~7ul);
    pthread_create(&one, NULL, thread, NULL);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
