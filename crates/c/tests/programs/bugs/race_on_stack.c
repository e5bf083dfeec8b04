// BUG: a thread writes a local variable of main's that main reads without waiting.
// expect: race
#include <pthread.h>

static void *thread(void *argument)
{
    *(int *)argument = 1; // found here
    return NULL;
}

int main(void)
{
    int result = 0;
    pthread_t t;
    pthread_create(&t, NULL, thread, &result);
    int early = result; // found here
    pthread_join(t, NULL);
    return early > 1;
}
