// The main thread ends by pthread_exit: the others go on, and the program ends with the last of them.
// expect: ok
// model: var x; x = 1 | x = 2
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x;

static void *writer(void *argument)
{
    x = (int)(intptr_t)argument;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, (void *)(intptr_t)1);
    pthread_create(&t, NULL, writer, (void *)(intptr_t)2);
    pthread_exit(NULL);
}
