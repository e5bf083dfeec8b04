// BUG: a struct is assigned while another thread writes one of its members.
// expect: race
#include <pthread.h>

struct point {
    long x, y, z, t;
};

static struct point shared, copy;

static void *writer(void *unused)
{
    (void)unused;
    shared.z = 1; // found here
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    copy = shared; // found here
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
