// What getenv answers is written: no execution would take that back.
// expect: refused a write of 1 bytes
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *unused)
{
    char *path = getenv("PATH");
    if (path)
        path[0]++;
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
