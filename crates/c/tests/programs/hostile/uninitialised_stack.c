// What earlier calls left on the stack decides which variable a thread writes.
// expect: survives
// flags: -Wno-uninitialized -Wno-maybe-uninitialized
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static int garbage(void)
{
    volatile int block[16];
    return block[7];
}

static void *thread(void *unused)
{
    if (garbage() & 1)
        x = 1;
    else
        y = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    x = 2;
    y = 2;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
