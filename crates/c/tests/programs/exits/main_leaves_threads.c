// Main ends by pthread_exit; with the last thread, functions that atexit was given are called.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ended, first;

static void at_end(void)
{
    assert(ended == 2);
    assert(first == 1); // found here
}

static void *thread(void *number)
{
    int none = 0;
    atomic_compare_exchange_strong(&first, &none, (int)(size_t)number);
    ended++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    atexit(at_end);
    pthread_create(&t, NULL, thread, (void *)1);
    pthread_create(&t, NULL, thread, (void *)2);
    pthread_exit(NULL);
}
