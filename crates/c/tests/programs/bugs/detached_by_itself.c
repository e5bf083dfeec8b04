// BUG: main joins a thread that has detached itself, before it came to any operation.
// expect: misuse
#include <pthread.h>

static void *thread(void *unused)
{
    pthread_detach(pthread_self());
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL); // found here
    return 0;
}
