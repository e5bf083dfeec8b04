// BUG: a thread reads a plain variable that another one writes.
// expect: race
#include <pthread.h>

static int data, copy;

static void *writer(void *unused)
{
    (void)unused;
    data = 1; // found here
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    copy = data; // found here
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
