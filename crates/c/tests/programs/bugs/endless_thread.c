// One thread never ends. The others are explored all the same.
// expect: assertion
// options: --max-steps 3000 --max-executions 20 --hang-after 300ms
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turns, flag;

static void *turn(void *unused)
{
    for (;;)
        turns = turns + 1;
    return unused;
}

static void *look(void *unused)
{
    turns = 5;
    assert(flag == 1); // found here
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, turn, NULL);
    pthread_create(&b, NULL, look, NULL);
    return 0;
}
