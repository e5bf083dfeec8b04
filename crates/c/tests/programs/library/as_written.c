// The same two writes in a row as in as_compiled.c, as they are in the text.
// expect: race
// classes: 3 (the read comes before, between or after the writes)
#include <pthread.h>

static int x;

static void *writer(void *unused)
{
    x = 1; // found here
    x = 2; // found here
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int seen = x; // found here
    pthread_join(t, NULL);
    return seen;
}
