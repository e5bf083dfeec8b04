// BUG: a thread writes a line and aborts if it comes first.
// expect: abort
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int started;

static void *worker(void *unused)
{
    if (atomic_fetch_add(&started, 1) == 0) {
        printf("the worker's %d\n", 1);
        abort(); // found here
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_fetch_add(&started, 1);
    pthread_join(t, NULL);
    return 0;
}
