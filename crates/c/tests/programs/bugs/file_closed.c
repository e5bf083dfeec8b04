// One thread reads a file that another one closes.
// expect: use-after-free
// options: --no-races
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *thread(void *unused)
{
    fgetc(file);
    return unused;
}

int main(void)
{
    pthread_t a;
    file = fopen(__FILE__, "r");
    pthread_create(&a, NULL, thread, NULL);
    fclose(file);
    pthread_join(a, NULL);
    return 0;
}
