// BUG: a buffer is copied while another thread fills it.
// expect: race
#include <pthread.h>
#include <string.h>

static char buffer[64], copy[64];

static void *writer(void *unused)
{
    (void)unused;
    memset(buffer, 'x', sizeof buffer); // found here
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    memcpy(copy, buffer, sizeof copy); // found here
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
