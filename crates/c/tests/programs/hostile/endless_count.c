// A loop that counts for ever in a volatile variable of its own.
// expect: hang
// options: --hang-after 500ms
#include <pthread.h>

static void *thread(void *unused)
{
    for (volatile unsigned i = 0;; i++)
        ;
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_join(a, NULL);
    return 0;
}
