// A thread that is created only where another one comes between two writes, and memory that only those two share.
// expect: ok
// model: var x, z; r = x; if r == 1 { spawn { z = 1 }; s = z } | x = 1; x = 2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, z;

static void *late(void *unused)
{
    z = 1;
    return unused;
}

static void *reader(void *unused)
{
    if (x == 1) {
        pthread_t t;
        pthread_create(&t, NULL, late, NULL);
        (void)z;
        pthread_join(t, NULL);
    }
    return unused;
}

static void *writer(void *unused)
{
    x = 1;
    x = 2;
    return unused;
}

int main(void)
{
    pthread_t r, w;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    return 0;
}
