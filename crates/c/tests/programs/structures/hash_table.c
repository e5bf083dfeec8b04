// An open-addressing hash table whose slots are claimed by compare-exchange: two inserters with a common key, each key is
// there once.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 4
#define FREE 0

static atomic_int keys[SLOTS];

// Returns whether the key is new.
static int insert(int key)
{
    for (int slot = key % SLOTS;; slot = (slot + 1) % SLOTS) {
        int found = FREE;
        if (atomic_compare_exchange_strong(&keys[slot], &found, key))
            return 1;
        if (found == key)
            return 0;
    }
}

static atomic_int inserted;

static void *inserter(void *keys_to_insert)
{
    for (const int *key = keys_to_insert; *key; key++)
        atomic_fetch_add(&inserted, insert(*key));
    return NULL;
}

int main(void)
{
    static int first[] = {1, 5, 0}, second[] = {5, 1, 0};
    pthread_t a, b;
    pthread_create(&a, NULL, inserter, first);
    pthread_create(&b, NULL, inserter, second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(inserted == 2);
    int ones = 0, fives = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        ones += keys[slot] == 1;
        fives += keys[slot] == 5;
    }
    assert(ones == 1 && fives == 1);
    return 0;
}
