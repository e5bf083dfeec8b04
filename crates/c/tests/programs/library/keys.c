// Thread-specific data: each thread has its own value, and the destructor frees it when the thread ends.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *value)
{
    free(value);
    atomic_fetch_add(&destroyed, 1);
}

static void *thread(void *argument)
{
    assert(pthread_getspecific(key) == NULL);
    int *mine = malloc(sizeof *mine);
    *mine = (int)(intptr_t)argument;
    pthread_setspecific(key, mine);
    assert(*(int *)pthread_getspecific(key) == (intptr_t)argument);
    return NULL;
}

int main(void)
{
    pthread_key_create(&key, destroy);
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)(intptr_t)1);
    pthread_create(&b, NULL, thread, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(destroyed == 2);
    pthread_key_delete(key);
    return 0;
}
