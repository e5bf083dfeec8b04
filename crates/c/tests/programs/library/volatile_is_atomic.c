// A flag that is volatile, taken for atomic: what it guards is ordered by it.
// expect: ok
// options: --volatile-is-atomic
#include <assert.h>
#include <pthread.h>

static volatile int flag;
static int data;

static void *thread(void *unused)
{
    data = 5;
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    if (flag)
        assert(data == 5);
    pthread_join(t, NULL);
    return 0;
}
