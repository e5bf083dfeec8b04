// BUG: a ticket lock that takes a ticket by a read and a write: two threads can have the same, and be inside together, or
// one waits for a number that never comes.
// expect: race
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, serving;
static int protected;

static void *thread(void *unused)
{
    (void)unused;
    unsigned mine = next_ticket;
    next_ticket = mine + 1;
    while (serving != mine)
        ;
    protected++; // found here
    atomic_fetch_add(&serving, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
