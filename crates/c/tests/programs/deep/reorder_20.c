// Nineteen threads write two variables, one after the other; the last one must not see the first write without the second.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SETTERS 19

static atomic_int first, second;

static void *set(void *unused)
{
    (void)unused;
    atomic_store(&first, 1);
    atomic_store(&second, -1);
    return NULL;
}

static void *check(void *unused)
{
    (void)unused;
    int a = atomic_load(&first), b = atomic_load(&second);
    assert((a == 0 && b == 0) || (a == 1 && b == -1)); // found here
    return NULL;
}

int main(void)
{
    pthread_t threads[SETTERS + 1];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&threads[i], NULL, set, NULL);
    pthread_create(&threads[SETTERS], NULL, check, NULL);
    for (int i = 0; i <= SETTERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
