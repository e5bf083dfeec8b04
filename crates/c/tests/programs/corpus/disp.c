// A dispatcher hands each of R requests to the one of S servers that a pick thread last named.
// litmus: disp S R
#include <pthread.h>
#include <stdint.h>

#ifndef S
#define S 3
#endif
#ifndef R
#define R 2
#endif

static pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t srv[S];
static int sid, in[S], out[S];

static void *server(void *argument)
{
    intptr_t x = (intptr_t)argument;
    pthread_mutex_lock(&srv[x]);
    if (in[x] > 0)
        out[x] = in[x];
    pthread_mutex_unlock(&srv[x]);
    return NULL;
}

static void *pick(void *unused)
{
    (void)unused;
    for (int x = 0; x < S; x++) {
        pthread_mutex_lock(&k);
        sid = x;
        pthread_mutex_unlock(&k);
    }
    return NULL;
}

int main(void)
{
    pthread_t servers[S];
    for (int x = 0; x < S; x++)
        pthread_mutex_init(&srv[x], NULL);
    for (int x = 0; x < S; x++)
        pthread_create(&servers[x], NULL, server, (void *)(intptr_t)x);
    for (int request = 0; request < R; request++) {
        pthread_t picking;
        pthread_create(&picking, NULL, pick, NULL);
        pthread_mutex_lock(&k);
        int idx = sid;
        pthread_mutex_unlock(&k);
        pthread_mutex_lock(&srv[idx]);
        in[idx]++;
        pthread_mutex_unlock(&srv[idx]);
        pthread_join(picking, NULL);
    }
    for (int x = 0; x < S; x++)
        pthread_join(servers[x], NULL);
    return 0;
}
