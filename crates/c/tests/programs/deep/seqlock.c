// A sequence lock whose writer makes the number odd only after its first write: readers may see half of two writes.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define READERS 10
#define WRITES 4

static atomic_int number, left, right;

static void *reader(void *unused)
{
    (void)unused;
    int before = atomic_load(&number);
    if (before % 2 != 0)
        return NULL;
    int a = atomic_load(&left), b = atomic_load(&right);
    if (atomic_load(&number) == before)
        assert(a == b); // found here
    return NULL;
}

int main(void)
{
    pthread_t readers[READERS];
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, reader, NULL);
    for (int i = 1; i <= WRITES; i++) {
        atomic_store(&left, i);
        atomic_store(&number, 2 * i - 1);
        atomic_store(&right, i);
        atomic_store(&number, 2 * i);
    }
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
