// Barriers for the compiler and pauses, by inline assembly: they access no memory.
// expect: ok
// model: var flag; flag = 1 | r = flag
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *writer(void *unused)
{
    __asm__ __volatile__("" ::: "memory");
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    __asm__ __volatile__("pause" ::: "memory");
    int seen = flag;
    pthread_join(t, NULL);
    return seen == 2;
}
