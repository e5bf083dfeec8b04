// A reference is copied by a look at the count and a later write: the last of ten owners frees it under another's feet.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define OWNERS 10

static atomic_int count = 1, is_freed;

static void *owner(void *unused)
{
    (void)unused;
    int before = atomic_load(&count);
    if (before == 0)
        return NULL;
    atomic_store(&count, before + 1);
    int freed = atomic_load(&is_freed);
    assert(!freed); // found here
    if (atomic_fetch_sub(&count, 1) == 1)
        atomic_store(&is_freed, 1);
    return NULL;
}

int main(void)
{
    pthread_t owners[OWNERS];
    for (int i = 0; i < OWNERS; i++)
        pthread_create(&owners[i], NULL, owner, NULL);
    if (atomic_fetch_sub(&count, 1) == 1)
        atomic_store(&is_freed, 1);
    for (int i = 0; i < OWNERS; i++)
        pthread_join(owners[i], NULL);
    return 0;
}
