// What is exchanged is no part of the thread's registers or stack after the call: it is part of its local state nevertheless.
// expect: ok
// classes: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int x = 1, y = 1;
static void *p(void *unused)
{
    while (atomic_exchange(&y, atomic_load(&x)) != 5)
        ;
    return unused;
}
static void *q(void *unused)
{
    atomic_store(&x, 2);
    while (atomic_load(&y) != 2)
        ;
    atomic_store(&y, 5);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, p, NULL);
    pthread_create(&b, NULL, q, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
