// Threads of the C11 library: mutex, condition variable, call_once, results of threads.
// expect: ok
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t ready;
static once_flag once = ONCE_FLAG_INIT;
static int value, runs;

static void routine(void)
{
    runs++;
}

static int producer(void *argument)
{
    call_once(&once, routine);
    mtx_lock(&lock);
    value = *(int *)argument;
    cnd_signal(&ready);
    mtx_unlock(&lock);
    return value;
}

static int consumer(void *unused)
{
    (void)unused;
    call_once(&once, routine);
    mtx_lock(&lock);
    while (value == 0)
        cnd_wait(&ready, &lock);
    int seen = value;
    mtx_unlock(&lock);
    return seen;
}

int main(void)
{
    mtx_init(&lock, mtx_plain);
    cnd_init(&ready);
    int item = 7;
    thrd_t p, c;
    thrd_create(&c, consumer, NULL);
    thrd_create(&p, producer, &item);
    int produced, consumed;
    thrd_join(p, &produced);
    thrd_join(c, &consumed);
    assert(produced == 7 && consumed == 7 && runs == 1);
    cnd_destroy(&ready);
    mtx_destroy(&lock);
    return 0;
}
