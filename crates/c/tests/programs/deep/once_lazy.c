// Something is made at its first use, and the flag says so before it is there; twenty threads use it.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define USERS 20

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_there, value;

static int use(void)
{
    if (!atomic_load(&is_there)) {
        pthread_mutex_lock(&mutex);
        if (!atomic_load(&is_there)) {
            atomic_store(&is_there, 1); // Too early.
            atomic_store(&value, 42);
        }
        pthread_mutex_unlock(&mutex);
    }
    return atomic_load(&value);
}

static void *user(void *unused)
{
    (void)unused;
    int found = use();
    assert(found == 42); // found here
    return NULL;
}

int main(void)
{
    pthread_t users[USERS];
    for (int i = 0; i < USERS; i++)
        pthread_create(&users[i], NULL, user, NULL);
    for (int i = 0; i < USERS; i++)
        pthread_join(users[i], NULL);
    return 0;
}
