// A stack whose nodes are used again: between a pop's look at the top and its exchange, the same node may come back with
// another one below.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 4
#define NONE -1

static atomic_int top = NONE, below[NODES], held[NODES];

static void push(int node)
{
    int old = atomic_load(&top);
    do
        atomic_store(&below[node], old);
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

static int pop(void)
{
    int node = atomic_load(&top);
    while (node != NONE) {
        int next = atomic_load(&below[node]);
        if (atomic_compare_exchange_strong(&top, &node, next))
            break;
    }
    return node;
}

static int take(void)
{
    int node = pop();
    if (node != NONE) {
        int holders = atomic_fetch_add(&held[node], 1);
        assert(holders == 0); // found here
    }
    return node;
}

static void give(int node)
{
    if (node == NONE)
        return;
    atomic_store(&held[node], 0);
    push(node);
}

static void *user(void *unused)
{
    (void)unused;
    int one = take(), other = take();
    give(one);
    int third = take();
    (void)other;
    (void)third;
    return NULL;
}

int main(void)
{
    pthread_t users[3];
    for (int i = 0; i < NODES; i++)
        push(i);
    for (int i = 0; i < 3; i++)
        pthread_create(&users[i], NULL, user, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(users[i], NULL);
    return 0;
}
