// A struct is copied with a hole and a member in it that nobody wrote. That decides nothing.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct part {
    char kind;
    int number, unused;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct part *shared;

static void *thread(void *unused)
{
    struct part *own = malloc(sizeof *own);
    own->kind = 1;
    own->number = 5;
    pthread_mutex_lock(&mutex);
    memcpy(shared, own, sizeof *own);
    pthread_mutex_unlock(&mutex);
    free(own);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    shared = malloc(sizeof *shared);
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared->kind == 1 && shared->number == 5);
    free(shared);
    return 0;
}
