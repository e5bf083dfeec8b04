// Which variable is looked at next is no part of the thread's registers or stack after the call.
// expect: ok
// classes: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int chosen, flag[2];
static void *p(void *unused)
{
    while (!atomic_load(&flag[atomic_load(&chosen)]))
        ;
    return unused;
}
static void *q(void *unused) { atomic_store(&flag[0], 0); atomic_store(&flag[1], 1); atomic_store(&chosen, 1); return unused; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, p, NULL);
    pthread_create(&b, NULL, q, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
