// A constructor creates a thread, which races with main.
// expect: race
#include <pthread.h>
#include <stddef.h>

static int shared;
static pthread_t thread_of_constructor;

static void *thread(void *unused)
{
    shared = 1; // found here
    return unused;
}

__attribute__((constructor)) static void before_main(void)
{
    pthread_create(&thread_of_constructor, NULL, thread, NULL);
}

int main(void)
{
    shared = 2; // found here
    pthread_join(thread_of_constructor, NULL);
    return 0;
}
