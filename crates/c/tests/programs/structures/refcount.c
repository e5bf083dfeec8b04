// An object shared by reference counting: whoever lets go last frees it.
// expect: ok
// model: var n = 2; r = fetch_add n, -1 | r = fetch_add n, -1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int payload;
};

static void release(struct object *object)
{
    if (atomic_fetch_sub(&object->references, 1) == 1)
        free(object);
}

static void *holder(void *object)
{
    release(object);
    return NULL;
}

int main(void)
{
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    object->payload = 7;
    pthread_t a, b;
    pthread_create(&a, NULL, holder, object);
    pthread_create(&b, NULL, holder, object);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
