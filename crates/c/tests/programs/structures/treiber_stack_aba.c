// BUG: a stack over an array with a pop that can be fooled: between its look and its exchange, the same cell is popped and
// pushed again with another one gone from below (ABA). Cell 2 is then handed out twice.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NONE 0

static atomic_int top;
static atomic_int next[3]; // of cells 1 and 2
static atomic_int owned[3];

static void push(int cell)
{
    int seen = top;
    do {
        next[cell] = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, cell));
}

static int pop(void)
{
    int seen = top;
    while (seen != NONE && !atomic_compare_exchange_strong(&top, &seen, next[seen]))
        ;
    return seen;
}

static void take(int cell)
{
    if (cell != NONE)
        assert(atomic_fetch_add(&owned[cell], 1) == 0); // found here
}

static void *once(void *unused)
{
    (void)unused;
    take(pop());
    return NULL;
}

static void *there_and_back(void *unused)
{
    (void)unused;
    int first = pop();
    take(pop());
    if (first != NONE)
        push(first);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    push(2);
    push(1);
    pthread_create(&a, NULL, once, NULL);
    pthread_create(&b, NULL, there_and_back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    take(pop());
    return 0;
}
