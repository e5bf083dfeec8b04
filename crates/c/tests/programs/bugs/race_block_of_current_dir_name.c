// Two threads write to a block that the C library allocated.
// expect: race
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *thread(void *block)
{
    *(char *)block = 'x'; // found here
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char *s = get_current_dir_name();
    pthread_create(&a, NULL, thread, s);
    pthread_create(&b, NULL, thread, s);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(s);
    return 0;
}
