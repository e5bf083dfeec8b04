// A struct is copied with a member that nobody wrote, which decides something later, in one order only.
// expect: uninitialised
// by gcc: ok
#include <pthread.h>
#include <stdatomic.h>

struct item {
    char kind;
    int number, more;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct item shared;
static atomic_int hits;

static void *thread(void *unused)
{
    struct item own;
    own.kind = 1;
    own.number = 2;
    pthread_mutex_lock(&mutex);
    shared = own;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    pthread_mutex_lock(&mutex);
    struct item found = shared;
    pthread_mutex_unlock(&mutex);
    if (found.more & 1)
        hits++; // found here
    pthread_join(a, NULL);
    return 0;
}
