// A counter that grows without an end: a limit ends the search.
// expect: bound
// options: --max-states 5000
// model: var x; loop { r = x; x = r + 1 } | loop { r = x; x = r + 1 }
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_ulong count;

static void *run(void *unused)
{
    for (;;)
        atomic_fetch_add(&count, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
}
