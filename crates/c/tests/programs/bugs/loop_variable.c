// BUG: threads are given the address of the loop's variable, which main goes on to change.
// expect: race
#include <pthread.h>

#define THREADS 2

static int seen[THREADS + 1];

static void *thread(void *argument)
{
    int i = *(int *)argument; // found here
    seen[i] = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) // found here
        pthread_create(&threads[i], NULL, thread, &i);
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
