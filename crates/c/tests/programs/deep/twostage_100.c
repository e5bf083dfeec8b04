// Two variables that belong together are written under two locks, one after the other, and a hundred threads look at both.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WRITERS 50
#define READERS 50

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static atomic_int data, twice;

static void *write_both(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&first);
    data = 1;
    pthread_mutex_unlock(&first);
    pthread_mutex_lock(&second);
    twice = data + 1;
    pthread_mutex_unlock(&second);
    return NULL;
}

static void *read_both(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&first);
    int found = data;
    pthread_mutex_unlock(&first);
    if (found == 0)
        return NULL;
    pthread_mutex_lock(&second);
    int of_it = twice;
    pthread_mutex_unlock(&second);
    assert(of_it == found + 1); // found here
    return NULL;
}

int main(void)
{
    pthread_t threads[WRITERS + READERS];
    for (int i = 0; i < WRITERS + READERS; i++)
        pthread_create(&threads[i], NULL, i < WRITERS ? write_both : read_both, NULL);
    for (int i = 0; i < WRITERS + READERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
