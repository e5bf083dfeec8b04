// BUG: a variable that one thread writes by atomic operations is read by another one as if it were its own.
// expect: race
#include <pthread.h>

static int x;

static void *writer(void *unused)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); // found here
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int seen = x; // found here
    pthread_join(t, NULL);
    return seen == 2;
}
