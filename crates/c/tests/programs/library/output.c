// Output of every run but a failing one is muted, and is no reason to diverge.
// expect: ok
// model: var x; x = 1 | x = 2
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int x;

static void *thread(void *argument)
{
    x = (int)(intptr_t)argument;
    printf("thread %d\n", (int)(intptr_t)argument);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)(intptr_t)1);
    pthread_create(&b, NULL, thread, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    puts("done");
    fprintf(stderr, "%d\n", (int)x);
    return 0;
}
