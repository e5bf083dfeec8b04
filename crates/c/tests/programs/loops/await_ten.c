// A thread waits for 10 while others add 3, 3 and 4, and one adds 1, 1 and 8; nobody looks at what they find. It sees 3 + 3 + 4, or
// 1 + 1 + 8, or never sees 10, and the program ends without it.
// expect: ok
// classes: 3
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x;

static void *await(void *unused)
{
    while (atomic_load(&x) != 10)
        ;
    return unused;
}

static void *add(void *argument)
{
    atomic_fetch_add(&x, (int)(intptr_t)argument);
    return NULL;
}

static void *add_thrice(void *unused)
{
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&x, 8);
    return unused;
}

int main(void)
{
    pthread_t threads[5];
    pthread_create(&threads[0], NULL, await, NULL);
    pthread_create(&threads[1], NULL, add, (void *)(intptr_t)3);
    pthread_create(&threads[2], NULL, add, (void *)(intptr_t)3);
    pthread_create(&threads[3], NULL, add, (void *)(intptr_t)4);
    pthread_create(&threads[4], NULL, add_thrice, NULL);
    return 0;
}
