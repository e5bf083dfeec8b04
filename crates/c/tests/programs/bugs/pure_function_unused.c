// A function that reads memory is called, and nobody looks at what it answers: it reads it all the same, while another thread writes. Its
// author says that it is pure.
// expect: race
#include <pthread.h>
#include <string.h>

static char text[8], other[8];
static int pure; /* as a name of something else, too */

__attribute__((pure, noinline)) static int first(const char *of) { return of[0] + pure; }

static void *writer(void *unused)
{
    text[0] = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    first(text);
    return pthread_join(thread, 0);
}
