// A thread fails whose stack is destroyed: the failure is found, whatever is to be known of the calls that led to it.
// expect: assertion

#include <assert.h>
#include <pthread.h>

static volatile int zero;

__attribute__((noinline)) static void write_all(volatile long *words)
{
    for (int i = 0; i < 40; i++)
        words[i] = 0x4141414141414140;
    assert(zero == 1); // found here
}

__attribute__((noinline)) static void call(void)
{
    long words[2];
    write_all(words);
}

static void *thread(void *unused)
{
    call();
    return unused;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
    return 0;
}
