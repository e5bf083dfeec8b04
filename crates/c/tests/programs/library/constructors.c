// A constructor and an atexit handler: globals are as after the constructor in every run.
// expect: ok
// model: var x; r = fetch_add x, 1 | r = fetch_add x, 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *table;
static atomic_int x;

__attribute__((constructor)) static void prepare(void)
{
    table = malloc(2 * sizeof *table);
    table[0] = 10;
    table[1] = 20;
}

static void tidy(void)
{
    free(table);
}

static void *thread(void *unused)
{
    (void)unused;
    table[atomic_fetch_add(&x, 1)]++;
    return NULL;
}

int main(void)
{
    atexit(tidy);
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(table[0] == 11 && table[1] == 21);
    return 0;
}
