// A program may have a memcpy of its own, and may call memset by a pointer.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static int calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[4];
static void *(*const volatile fill)(void *, int, size_t) = memset;

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    char *next = to;
    calls++;
    for (const char *byte = from; size > 0; size--)
        *next++ = *byte++;
    return to;
}

static void *thread(void *unused)
{
    pthread_mutex_lock(&lock);
    fill(buffer, 'a', 2);
    memcpy(buffer + 2, buffer, 2);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, thread, NULL);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(calls == 2 && buffer[3] == 'a');
    return 0;
}
