// BUG: a reference count that is decremented and then looked at again: both holders may see 0, and free twice; or one looks
// after the other freed.
// expect: double-free | use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
};

static void *holder(void *argument)
{
    struct object *object = argument;
    atomic_fetch_sub(&object->references, 1);
    if (atomic_load(&object->references) == 0)
        free(object);
    return NULL;
}

int main(void)
{
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    pthread_t a, b;
    pthread_create(&a, NULL, holder, object);
    pthread_create(&b, NULL, holder, object);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
