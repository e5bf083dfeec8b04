// BUG: a Treiber stack that frees what it pops while another pop may still look at it.
// expect: use-after-free | race
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(void)
{
    struct node *node = malloc(sizeof *node);
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node))
        ;
}

static void *popper(void *unused)
{
    (void)unused;
    struct node *node = atomic_load(&top);
    while (node && !atomic_compare_exchange_strong(&top, &node, node->next)) // found here
        ;
    free(node);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    push();
    push();
    pthread_create(&a, NULL, popper, NULL);
    pthread_create(&b, NULL, popper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
