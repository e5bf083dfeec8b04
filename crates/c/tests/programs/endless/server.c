// A server that never ends, which takes requests off a stack, with a client that goes on for ever, too. Sleeping takes no state.
// expect: ok
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
struct request { int what; struct request *next; };
static _Atomic(struct request *) inbox;
static atomic_int served;
static void *server(void *p) {
    for (;;) {
        struct request *all = atomic_exchange(&inbox, 0);
        if (!all) { usleep(100); continue; }
        while (all) {
            struct request *next = all->next;
            served = all->what;
            free(all);
            all = next;
        }
    }
    return 0;
}
static void *client(void *p) {
    for (;;) {
        struct request *r = malloc(sizeof *r);
        r->what = (int)(long)p;
        r->next = atomic_load(&inbox);
        while (!atomic_compare_exchange_strong(&inbox, &r->next, r)) {}
        while (inbox) {}
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, server, 0);
    pthread_create(&b, 0, client, (void *)1);
    pthread_join(a, 0);
    return 0;
}
