// The address of a block decides which thread does what: addresses are the same in every run.
// expect: ok
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int cells[2];

static void *thread(void *unused)
{
    void *block = malloc(24);
    cells[((uintptr_t)block >> 5) & 1]++;
    free(block);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
