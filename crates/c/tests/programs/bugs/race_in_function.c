// BUG: both threads increment in the same function: only the calls that led there tell the two apart.
// expect: race
#include <pthread.h>

static int counter;

static void increment(int by)
{
    counter += by; // found here
}

static void *worker(void *unused)
{
    increment(2); // found here
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    increment(1); // found here
    pthread_join(t, NULL);
    return 0;
}
