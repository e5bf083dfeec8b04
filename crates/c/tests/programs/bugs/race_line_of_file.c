// Two threads write to a line that getline read.
// expect: race
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *thread(void *line)
{
    *(char *)line = 'x'; // found here
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char *line = NULL;
    size_t size = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    if (!file || getline(&line, &size, file) < 0)
        return 1;
    fclose(file);
    pthread_create(&a, NULL, thread, line);
    pthread_create(&b, NULL, thread, line);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(line);
    return 0;
}
