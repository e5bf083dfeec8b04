// Chase and Lev's deque of a fixed size: the owner pushes and pops, a thief steals; no item is taken twice or lost.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 4
#define ITEMS 2
#define EMPTY 0

static atomic_int top, bottom;
static atomic_int items[SIZE];
static atomic_int taken[ITEMS + 1];

static void push(int item)
{
    int b = bottom;
    items[b % SIZE] = item;
    bottom = b + 1;
}

static int pop(void)
{
    int b = bottom - 1;
    bottom = b;
    int t = top;
    if (t > b) {
        bottom = b + 1;
        return EMPTY;
    }
    int item = items[b % SIZE];
    if (t < b)
        return item;
    if (!atomic_compare_exchange_strong(&top, &t, t + 1))
        item = EMPTY;
    bottom = b + 1;
    return item;
}

static int steal(void)
{
    int t = top;
    int b = bottom;
    if (t >= b)
        return EMPTY;
    int item = items[t % SIZE];
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : EMPTY;
}

static void take(int item)
{
    if (item != EMPTY)
        assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *owner(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        push(i);
    for (int i = 1; i <= ITEMS; i++)
        take(pop());
    return NULL;
}

static void *thief(void *unused)
{
    (void)unused;
    take(steal());
    return NULL;
}

int main(void)
{
    pthread_t o, t;
    pthread_create(&o, NULL, owner, NULL);
    pthread_create(&t, NULL, thief, NULL);
    pthread_join(o, NULL);
    pthread_join(t, NULL);
    for (int i = 1; i <= ITEMS; i++)
        assert(taken[i] <= 1);
    return 0;
}
