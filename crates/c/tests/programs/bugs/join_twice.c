// BUG: a thread is joined twice.
// expect: misuse
#include <pthread.h>

static void *thread(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    pthread_join(t, NULL); // found here
    return 0;
}
