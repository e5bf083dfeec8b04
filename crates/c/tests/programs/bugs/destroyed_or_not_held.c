// A thread gives back a mutex that it does not hold, while another one destroys it: either way it is a misuse, and each
// order of the two, with each order of the writes, is a class.
// expect: misuse
// classes: 4
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int last;

static void *destroys(void *unused)
{
    pthread_mutex_destroy(&mutex);
    last = 1;
    return unused;
}

static void *unlocks(void *unused)
{
    pthread_mutex_unlock(&mutex); // found here
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, destroys, NULL);
    pthread_create(&t[1], NULL, unlocks, NULL);
    last = 2;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
