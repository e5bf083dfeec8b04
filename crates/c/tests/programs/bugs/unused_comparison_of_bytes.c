// Two blocks of bytes are compared, and nobody looks at the answer: they are read all the same, while another thread writes.
// expect: race
#include <pthread.h>
#include <string.h>

static char text[8], other[8];

static void *writer(void *unused)
{
    text[7] = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    memcmp(text, other, 8); // found here
    return pthread_join(thread, 0);
}
