// BUG: two threads install a block, and the one that comes second loses its own.
// expect: leak
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(void *) installed;

static void *thread(void *unused)
{
    (void)unused;
    void *mine = malloc(8); // found here
    void *expected = NULL;
    atomic_compare_exchange_strong(&installed, &expected, mine);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(installed);
    return 0;
}
