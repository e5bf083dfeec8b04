// A node on a thread's stack is initialised and then published; whoever finds it hands it back.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    int value;
    char name[20];
};

static _Atomic(struct node *) head;
static struct node done;

static void *publishes(void *unused)
{
    for (int i = 0; i < 2; i++) {
        struct node node;
        atomic_init(&node.next, NULL);
        node.value = 3;
        atomic_store(&head, &node);
        while (atomic_load(&node.next) == NULL)
            ;
    }
    return unused;
}

static void *consumes(void *unused)
{
    for (int i = 0; i < 2; i++) {
        struct node *node;
        while ((node = atomic_exchange(&head, NULL)) == NULL)
            ;
        assert(node->value == 3);
        struct node copy = *node;
        assert(copy.value == 3);
        atomic_store(&node->next, &done);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, publishes, NULL);
    pthread_create(&b, NULL, consumes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
