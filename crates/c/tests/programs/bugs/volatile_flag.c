// BUG: a volatile flag is no synchronisation.
// expect: race
#include <pthread.h>

static volatile int ready;
static int data, copy;

static void *writer(void *unused)
{
    (void)unused;
    data = 42;
    ready = 1; // found here
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    if (ready) // found here
        copy = data;
    return NULL;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
