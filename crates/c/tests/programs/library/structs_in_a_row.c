// Two structs of 12 bytes in a row, each with a lock of its own: no access of one is an access of the other.
// expect: ok
#include <assert.h>
#include <pthread.h>

struct vector {
    int x, y, z;
};

static struct vector vectors[2];
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *thread(void *argument)
{
    long i = (long)argument;
    pthread_mutex_lock(&locks[i]);
    struct vector copy = vectors[i];
    copy.z++;
    vectors[i] = copy;
    vectors[i].x++;
    pthread_mutex_unlock(&locks[i]);
    return 0;
}

int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, thread, (void *)(i / 2));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(vectors[0].x == 2 && vectors[0].z == 2 && vectors[1].z == 1);
}
