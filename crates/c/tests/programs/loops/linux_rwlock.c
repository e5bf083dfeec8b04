// The reader-writer lock of Linux: each thread reads, then writes. A reader tries by subtracting 1, a writer by subtracting all, and
// whoever fails adds it again and waits. By its litmus form, the two threads have 10 orders of what they do in vain and at last.
// expect: ok
// classes: 10
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif
#define BIAS 0x100000

static atomic_int lock = BIAS;
static int data;

static void read_lock(void)
{
    int prior = atomic_fetch_sub(&lock, 1);
    while (prior <= 0) {
        atomic_fetch_add(&lock, 1);
        while (atomic_load(&lock) <= 0)
            ;
        prior = atomic_fetch_sub(&lock, 1);
    }
}

static void read_unlock(void) { atomic_fetch_add(&lock, 1); }

static void write_lock(void)
{
    int prior = atomic_fetch_sub(&lock, BIAS);
    while (prior != BIAS) {
        atomic_fetch_add(&lock, BIAS);
        while (atomic_load(&lock) != BIAS)
            ;
        prior = atomic_fetch_sub(&lock, BIAS);
    }
}

static void write_unlock(void) { atomic_fetch_add(&lock, BIAS); }

static void *thread(void *unused)
{
    read_lock();
    int seen = data;
    (void)seen;
    read_unlock();
    write_lock();
    data++;
    write_unlock();
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(data == N);
    return 0;
}
