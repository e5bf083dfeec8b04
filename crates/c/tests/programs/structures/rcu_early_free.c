// BUG: as rcu_pointer, but the writer looks for readers before it replaces the record.
// expect: use-after-free | race
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct record {
    int a, b;
};

static _Atomic(struct record *) current;
static atomic_int readers;

static struct record *record_of(int value)
{
    struct record *record = malloc(sizeof *record);
    record->a = record->b = value;
    return record;
}

static void *reader(void *unused)
{
    (void)unused;
    atomic_fetch_add(&readers, 1);
    struct record *record = current;
    assert(record->a == record->b);
    atomic_fetch_sub(&readers, 1);
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    while (readers != 0)
        sched_yield();
    struct record *old = atomic_exchange(&current, record_of(2));
    free(old);
    return NULL;
}

int main(void)
{
    current = record_of(1);
    pthread_t r, w;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    free(current);
    return 0;
}
