// BUG: two threads increment a plain counter.
// expect: race
#include <pthread.h>

static int counter;

static void *thread(void *unused)
{
    (void)unused;
    counter++; // found here
    return NULL;
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
