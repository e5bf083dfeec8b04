// Main joins a thread that ends the program: the join never comes back.
// expect: ok
// classes: 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *ends(void *unused)
{
    (void)unused;
    exit(0);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, ends, NULL);
    pthread_join(t, NULL);
    assert(0);
}
