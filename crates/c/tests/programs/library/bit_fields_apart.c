// Bit-fields with a field of no bits between them are different memory: threads that change one each do not race, although main reads
// both at once in the end.
// expect: ok
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned one : 20;
    unsigned : 0;
    unsigned other : 4;
} fields;

static void *thread(void *unused)
{
    fields.one++;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    fields.other++;
    pthread_join(t, 0);
    assert(fields.one == 1 && fields.other == 1);
}
