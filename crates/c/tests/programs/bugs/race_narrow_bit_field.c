// A bit-field that compilers read as 24 bits is incremented by two threads.
// expect: race
#include <pthread.h>

static struct {
    unsigned a : 20;
    unsigned char b;
} s;

static void *thread(void *unused)
{
    s.a++; // found here
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
