// Threads allocate a block of 26 for an inode of 32; the first two threads that meet are at 14.
// litmus: filesystem T
#include <pthread.h>
#include <stdint.h>

#ifndef T
#define T 14
#endif
#define INODES 32
#define BLOCKS 26

static pthread_mutex_t locki[INODES];
static pthread_mutex_t lockb[BLOCKS];
static int inode[INODES];
static int busy[BLOCKS];

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument % INODES;
    pthread_mutex_lock(&locki[i]);
    if (inode[i] == 0) {
        int b = 2 * i % BLOCKS;
        for (;;) {
            pthread_mutex_lock(&lockb[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&lockb[b]);
                break;
            }
            pthread_mutex_unlock(&lockb[b]);
            b = (b + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&locki[i]);
    return NULL;
}

int main(void)
{
    pthread_t threads[T];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&locki[i], NULL);
    for (int b = 0; b < BLOCKS; b++)
        pthread_mutex_init(&lockb[b], NULL);
    for (int i = 0; i < T; i++)
        pthread_create(&threads[i], NULL, thread, (void *)(intptr_t)i);
    for (int i = 0; i < T; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
