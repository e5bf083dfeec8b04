// Who wakes others by a system call is told how many: nobody who has given up before.
// expect: ok
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;
static int is_up;

static void *thread(void *unused)
{
    struct timespec second = {1, 0};
    is_up = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &second, NULL, 0) < 0 && errno == ETIMEDOUT;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    long woken = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    pthread_join(t, NULL);
    assert(!(woken == 1 && is_up));
    return 0;
}
