// A sorted list with a lock in each node, locked hand over hand; two threads insert.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t lock;
    int key;
    struct node *next;
};

static struct node *node_of(int key, struct node *next)
{
    struct node *node = malloc(sizeof *node);
    pthread_mutex_init(&node->lock, NULL);
    node->key = key;
    node->next = next;
    return node;
}

static struct node *head;

static void insert(int key)
{
    struct node *before = head;
    pthread_mutex_lock(&before->lock);
    while (before->next && before->next->key < key) {
        struct node *next = before->next;
        pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&before->lock);
        before = next;
    }
    before->next = node_of(key, before->next);
    pthread_mutex_unlock(&before->lock);
}

static void *inserter(void *argument)
{
    insert((int)(intptr_t)argument);
    return NULL;
}

int main(void)
{
    head = node_of(0, node_of(10, NULL));
    pthread_t a, b;
    pthread_create(&a, NULL, inserter, (void *)(intptr_t)5);
    pthread_create(&b, NULL, inserter, (void *)(intptr_t)15);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int last = -1, length = 0;
    for (struct node *node = head, *next; node; node = next) {
        next = node->next;
        assert(node->key > last);
        last = node->key;
        length++;
        pthread_mutex_destroy(&node->lock);
        free(node);
    }
    assert(length == 4);
    return 0;
}
