// Three additions, at whose results nobody looks, and a thread that goes on when it sees 1; to wait is to assume.
// model: var x; x += 2 | x += 2 | x += 1 | r = x; assume r == 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

void __VERIFIER_assume(int);

static atomic_int x;

static void *adder(void *argument)
{
    atomic_fetch_add(&x, (int)(intptr_t)argument);
    return NULL;
}

static void *awaiter(void *unused)
{
    (void)unused;
    __VERIFIER_assume(x == 1);
    return NULL;
}

int main(void)
{
    pthread_t p, q, r, s;
    pthread_create(&p, NULL, adder, (void *)(intptr_t)2);
    pthread_create(&q, NULL, adder, (void *)(intptr_t)2);
    pthread_create(&r, NULL, adder, (void *)(intptr_t)1);
    pthread_create(&s, NULL, awaiter, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    pthread_join(r, NULL);
    pthread_join(s, NULL);
    return 0;
}
