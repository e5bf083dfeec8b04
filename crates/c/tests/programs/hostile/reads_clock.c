// Looks at the clock's cycle counter, which differs in every run: the difference is found, or there is none.
// expect: survives
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int cells[64];

static void *thread(void *unused)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    cells[now.tv_nsec % 64]++;
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
