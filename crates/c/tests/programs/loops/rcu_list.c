// A list that is read while its first node is taken out. The reader has come to the node: it is freed when the reader has gone. Or it
// comes later: then the writer sees nobody before it has come, or after it has gone.
// expect: ok
// classes: 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define N 2

struct node {
    struct node *next;
    int value;
};

static _Atomic(struct node *) head;
static atomic_int readers;

static void *thread(void *argument)
{
    if (argument) {
        atomic_fetch_add(&readers, 1);
        int sum = 0;
        for (struct node *node = atomic_load(&head); node; node = node->next)
            sum += node->value;
        assert(sum == 1 || sum == 3);
        atomic_fetch_sub(&readers, 1);
        return NULL;
    }
    struct node *old = atomic_load(&head);
    atomic_store(&head, old->next);
    while (atomic_load(&readers))
        ;
    free(old);
    return NULL;
}

int main(void)
{
    struct node *second = malloc(sizeof *second), *first = malloc(sizeof *first);
    *second = (struct node){ NULL, 1 };
    *first = (struct node){ second, 2 };
    head = first;
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    free(second);
    return 0;
}
