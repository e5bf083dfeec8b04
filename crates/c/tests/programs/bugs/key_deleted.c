// BUG: one thread deletes a key, another one ends with a value of it: the destructor is called, or is not.
// expect: assertion
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *value) { *(int *)value = 1; }

static void *ends(void *unused)
{
    pthread_setspecific(key, &destroyed);
    return unused;
}

static void *deletes(void *unused)
{
    pthread_key_delete(key);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_key_create(&key, destroy);
    pthread_create(&one, 0, ends, 0);
    pthread_create(&other, 0, deletes, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(!destroyed); // found here
    return 0;
}
