// Variables with holes and members that nobody wrote are copied, passed, returned and compared where they were written. They
// decide nothing.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

struct item {
    char kind;
    int number, more;
    char text[12];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct item shared;

static void set(struct item *item, ...)
{
    va_list arguments;
    va_start(arguments, item);
    item->number = va_arg(arguments, int);
    va_end(arguments);
}

static void *thread(void *unused)
{
    struct item own, copy;
    int array[8], result;
    own.kind = 1;
    strcpy(own.text, "abc");
    set(&own, 5);
    memcpy(&copy, &own, sizeof copy);
    array[3] = copy.number;
    pthread_mutex_lock(&mutex);
    shared = copy;
    result = pthread_mutex_unlock(&mutex);
    assert(result == 0 && array[3] == 5 && strcmp(copy.text, "abc") == 0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared.kind == 1 && shared.number == 5);
    return 0;
}
