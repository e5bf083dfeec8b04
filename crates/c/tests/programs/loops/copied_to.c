// Where bytes are copied to is no part of the thread's registers or stack after the call: it is part of its local state nevertheless.
// expect: ok
// classes: 2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
static atomic_int x;
static char y;
static void *reader(void *unused)
{
    char copies[16] = {0};
    do
        memcpy(&copies[atomic_load(&x)], &y, 1);
    while (copies[1] != 5);
    return unused;
}
static void *writer(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&b, NULL, writer, NULL);
    y = 5;
    pthread_create(&a, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
