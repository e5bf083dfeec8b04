// Loops that count in a volatile variable, so that others go first: no steps of an execution.
// expect: ok
// classes: 2 because two sections of one mutex have two orders
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *thread(void *unused)
{
    for (volatile int i = 0; i < 50000; i++)
        ;
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;
}
