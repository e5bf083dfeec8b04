// BUG: a pointer is followed before the other thread has set it: a crash in one order only.
// expect: segfault
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) pointer;
static int target, copy;

static void *setter(void *unused)
{
    (void)unused;
    pointer = &target;
    return NULL;
}

static void *user(void *unused)
{
    (void)unused;
    copy = *atomic_load(&pointer); // found here
    return NULL;
}

int main(void)
{
    pthread_t s, u;
    pthread_create(&s, NULL, setter, NULL);
    pthread_create(&u, NULL, user, NULL);
    pthread_join(s, NULL);
    pthread_join(u, NULL);
    return copy;
}
