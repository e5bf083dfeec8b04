// A hash table of lists with a lock for each bucket: threads that insert into different buckets do not meet.
// expect: ok
// model: mutex m[2]; section m[0] {}; section m[1] {} | section m[1] {}; section m[0] {}
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 2

struct entry {
    struct entry *next;
    int key;
};

static struct {
    pthread_mutex_t lock;
    struct entry *entries;
} table[BUCKETS] = {{PTHREAD_MUTEX_INITIALIZER, NULL}, {PTHREAD_MUTEX_INITIALIZER, NULL}};

static void insert(int key)
{
    struct entry *entry = malloc(sizeof *entry);
    int bucket = key % BUCKETS;
    entry->key = key;
    pthread_mutex_lock(&table[bucket].lock);
    entry->next = table[bucket].entries;
    table[bucket].entries = entry;
    pthread_mutex_unlock(&table[bucket].lock);
}

static void *up(void *unused)
{
    (void)unused;
    insert(0);
    insert(1);
    return NULL;
}

static void *down(void *unused)
{
    (void)unused;
    insert(3);
    insert(2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, up, NULL);
    pthread_create(&b, NULL, down, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int sum = 0;
    for (int i = 0; i < BUCKETS; i++) {
        for (struct entry *entry = table[i].entries, *next; entry; entry = next) {
            next = entry->next;
            sum += entry->key;
            free(entry);
        }
    }
    assert(sum == 6);
    return 0;
}
