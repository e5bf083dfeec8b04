// A loop without an end, bounded: every execution in which it makes two rounds is explored, and that is no proof.
// expect: bound
// options: --unroll 2
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *thread(void *unused)
{
    for (;;)
        counter++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    return 0;
}
