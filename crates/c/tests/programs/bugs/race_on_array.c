// BUG: a thread writes an element of an array on main's stack that main reads without waiting.
// expect: race
// classes: 2 (the read comes before or after the write)
#include <pthread.h>

static void *thread(void *argument)
{
    int *elements = argument;
    elements[2] = 1; // found here
    return NULL;
}

int main(void)
{
    int elements[4] = {0};
    pthread_t t;
    pthread_create(&t, NULL, thread, elements);
    int early = elements[2]; // found here
    pthread_join(t, NULL);
    return early > 1;
}
