// A thread loses memory, and the program ends by exit: found all the same.
// expect: leak
#include <pthread.h>
#include <stdlib.h>

static void *loses(void *unused)
{
    int *volatile block = malloc(sizeof *block); // found here
    *block = 1;
    block = NULL;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, loses, NULL);
    pthread_join(t, NULL);
    exit(0);
}
