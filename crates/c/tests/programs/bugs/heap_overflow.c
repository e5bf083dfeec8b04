// BUG: two threads append to a block of one place, after both have seen that there is room.
// expect: out-of-bounds
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define ROOM 1

static atomic_long *items;
static atomic_int count;

static void *append(void *unused)
{
    (void)unused;
    if (count < ROOM)
        items[atomic_fetch_add(&count, 1)] = 7; // found here
    return NULL;
}

int main(void)
{
    items = calloc(ROOM, sizeof *items);
    pthread_t a, b;
    pthread_create(&a, NULL, append, NULL);
    pthread_create(&b, NULL, append, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(items);
    return 0;
}
