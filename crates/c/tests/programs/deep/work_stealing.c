// A work-stealing deque whose owner looks at the thieves' end before it moves its own: the last task may be done twice.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define TASKS 6
#define THIEVES 4

static atomic_int top, bottom, done[TASKS];
static int tasks[TASKS];

static void perform(int task)
{
    int times = atomic_fetch_add(&done[task], 1);
    assert(times == 0); // found here
}

static int take(void)
{
    int oldest = atomic_load(&top); // Too early: it belongs behind the next line.
    int newest = atomic_load(&bottom) - 1;
    atomic_store(&bottom, newest);
    if (newest < oldest) {
        atomic_store(&bottom, oldest);
        return -1;
    }
    int task = tasks[newest];
    if (newest > oldest)
        return task;
    if (!atomic_compare_exchange_strong(&top, &oldest, oldest + 1))
        task = -1;
    atomic_store(&bottom, newest + 1);
    return task;
}

static int steal(void)
{
    int oldest = atomic_load(&top);
    if (atomic_load(&bottom) <= oldest)
        return -1;
    int task = tasks[oldest];
    return atomic_compare_exchange_strong(&top, &oldest, oldest + 1) ? task : -1;
}

static void *thief(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        int task = steal();
        if (task >= 0)
            perform(task);
    }
    return NULL;
}

int main(void)
{
    pthread_t thieves[THIEVES];
    for (int i = 0; i < TASKS; i++)
        tasks[i] = i;
    atomic_store(&bottom, TASKS);
    for (int i = 0; i < THIEVES; i++)
        pthread_create(&thieves[i], NULL, thief, NULL);
    for (int task; (task = take()) >= 0;)
        perform(task);
    for (int i = 0; i < THIEVES; i++)
        pthread_join(thieves[i], NULL);
    return 0;
}
