// One permit, two threads that take it, nobody joins them.
// expect: assertion
// classes: 2 (either thread gets the permit)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t permit;

static void *takes(void *unused)
{
    sem_wait(&permit);
    return unused;
}

static void *fails(void *unused)
{
    sem_wait(&permit);
    assert(0); // found here
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&permit, 0, 1);
    pthread_create(&a, NULL, takes, NULL);
    pthread_create(&b, NULL, fails, NULL);
    return 0;
}
