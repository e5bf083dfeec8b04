// What the optimiser left: a member of a variable of main, whose address the other thread has.
// expect: race
// options: --as-compiled -O2
#include <pthread.h>

struct pair {
    int first, second;
};

static void *writer(void *pair)
{
    ((struct pair *)pair)->second = 1; // found here
    return NULL;
}

int main(void)
{
    struct pair pair = {0, 0};
    pthread_t t;
    pthread_create(&t, NULL, writer, &pair);
    pair.second = 2; // found here
    pthread_join(t, NULL);
    return pair.second > 2;
}
