// A thread initialises a mutex that another one holds, so that the other one cannot unlock it.
// expect: misuse
// options: --no-races
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned number;

static void *initialises(void *unused)
{
    pthread_mutex_init(&m, NULL);
    return unused;
}

static void *counts(void *unused)
{
    number++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    unsigned found = 0;
    pthread_create(&a, NULL, initialises, NULL);
    pthread_create(&b, NULL, counts, NULL);
    if (pthread_mutex_trylock(&m) == 0) {
        found = number;
        pthread_mutex_unlock(&m);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return found > 1;
}
