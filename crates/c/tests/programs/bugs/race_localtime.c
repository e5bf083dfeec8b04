// Two threads ask for the date by a function with one place for its answers.
// expect: race
#include <pthread.h>
#include <time.h>

static void *thread(void *unused)
{
    time_t now = 0;
    localtime(&now); // found here
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
