// R readers share a reader-writer lock while a writer changes two variables that must agree.
// litmus: shared_table R
#include <assert.h>
#include <pthread.h>

#ifndef R
#define R 2
#endif

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *writer(void *unused)
{
    (void)unused;
    pthread_rwlock_wrlock(&table);
    a = 1;
    b = 1;
    pthread_rwlock_unlock(&table);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&table);
    int x = a, y = b;
    pthread_rwlock_unlock(&table);
    assert(x == y);
    return NULL;
}

int main(void)
{
    pthread_t w, readers[R];
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < R; i++)
        pthread_create(&readers[i], NULL, reader, NULL);
    pthread_join(w, NULL);
    for (int i = 0; i < R; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
