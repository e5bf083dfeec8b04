// A function of the C library writes memory that another thread reads, and nothing announces it.
// expect: refused a fault of Mazurka | refused swab
// options: --paranoid
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static char from[4] = "abc", to[4];

static void *thread(void *unused)
{
    swab(from, to, 4);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    int found = to[0];
    pthread_join(t, NULL);
    return found != 0 && found != 'b';
}
