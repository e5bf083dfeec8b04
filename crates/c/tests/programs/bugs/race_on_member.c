// BUG: two threads write a member of a struct on main's stack, of which main gave the address away.
// expect: assertion
// options: --no-races
// classes: 4 (main's read and write, and the thread's: each before both of the other's, or between)
#include <assert.h>
#include <pthread.h>

struct pair {
    int unused, counter;
};

static void *thread(void *argument)
{
    struct pair *pair = argument;
    pair->counter = pair->counter + 1;
    return NULL;
}

int main(void)
{
    struct pair pair = {0, 0};
    pthread_t t;
    pthread_create(&t, NULL, thread, &pair);
    pair.counter = pair.counter + 1;
    pthread_join(t, NULL);
    assert(pair.counter == 2); // found here
    return 0;
}
