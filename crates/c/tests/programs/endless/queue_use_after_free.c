// The same, whose consumer reads a node that it has freed.
// expect: use-after-free
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct node { struct node *next; int value; };
static struct node *head, **tail = &head;
static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
#ifndef ROOM
#define ROOM 2
#endif
static void *consume(void *p) {
    int expected = 0;
    for (;;) {
        pthread_mutex_lock(&m);
        while (!head) pthread_cond_wait(&c, &m);
        struct node *node = head;
        head = node->next;
        if (!head) tail = &head;
        count--;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);

        expected = (expected + 1) % 3;
        free(node);
        assert(node->value == expected || expected >= 0); // found here
    }
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, consume, 0);
    for (int i = 0;; i = (i + 1) % 3) {
        struct node *node = malloc(sizeof *node);
        node->next = 0;
        node->value = i;
        pthread_mutex_lock(&m);
        while (count == ROOM) pthread_cond_wait(&c, &m);
        *tail = node;
        tail = &node->next;
        count++;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    }
}
