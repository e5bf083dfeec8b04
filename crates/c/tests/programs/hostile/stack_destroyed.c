// A function writes over its caller's stack, and with it over where it is to return to. Whoever looks for the calls that led there finds
// addresses that are none.
// expect: segfault

#include <pthread.h>

__attribute__((noinline)) static void write_all(volatile long *words)
{
    for (int i = 0; i < 40; i++)
        words[i] = 0x4141414141414141;
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
