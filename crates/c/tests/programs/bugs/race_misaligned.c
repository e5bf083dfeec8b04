// A long that a cast pointer writes, across two multiples of eight bytes: its last byte is read by another thread.
// expect: race
#include <pthread.h>

static char bytes[16] __attribute__((aligned(16)));

static void *thread(void *unused)
{
    *(long *)(bytes + 5) = 3; // found here
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    int last = bytes[12]; // found here
    pthread_join(a, NULL);
    return last > 3;
}
