// Threads that create threads for ever.
// expect: survives
// options: --max-steps 2000 --max-executions 3
#include <pthread.h>

static void *thread(void *unused)
{
    pthread_t t;
    while (pthread_create(&t, NULL, thread, NULL) == 0)
        pthread_detach(t);
    return unused;
}

int main(void)
{
    thread(NULL);
    pthread_exit(NULL);
}
