// Writes five megabytes in every run.
// expect: ok
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *thread(void *unused)
{
    x = 1;
    for (int i = 0; i < 5 * 1024; i++) {
        for (int j = 0; j < 16; j++)
            fputs("0123456789012345678901234567890123456789012345678901234567890123", stdout);
        putchar('\n');
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    x = 2;
    pthread_join(t, NULL);
    return 0;
}
