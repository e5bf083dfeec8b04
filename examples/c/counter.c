// Two threads count without a lock. `mazurka check examples/c/counter.c` finds the data race; with --no-races it
// goes on to the assertion that fails because of it.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *count(void *unused)
{
    counter++;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
