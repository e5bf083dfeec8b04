// BUG: a flag that is not atomic is waited for: an optimiser may look at it once, or take the loop for one that ends.
// expect: hang | ok
// options: --as-compiled -O2 --no-races --hang-after 1s
#include <pthread.h>

static int flag;

static void *setter(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    while (!flag)
        ;
    pthread_join(t, NULL);
    return 0;
}
