// BUG: one thread frees what another one still reads, depending on a flag that comes too early.
// expect: use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *shared;
static atomic_int done;

static void *reader(void *unused)
{
    (void)unused;
    done = 1;
    (void)atomic_load(shared); // found here
    return NULL;
}

static void *owner(void *unused)
{
    (void)unused;
    if (done)
        free(shared);
    return NULL;
}

int main(void)
{
    shared = malloc(sizeof *shared);
    atomic_init(shared, 0);
    pthread_t r, o;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&o, NULL, owner, NULL);
    pthread_join(r, NULL);
    pthread_join(o, NULL);
    return 0;
}
