// A thread calls a function at an address where no code is, which no unwinder knows what to make of.
// expect: segfault

#include <pthread.h>

static void (*volatile function)(void) = (void (*)(void))0x1234567;

static void *thread(void *unused)
{
    function(); // found here
    return unused;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
    return 0;
}
