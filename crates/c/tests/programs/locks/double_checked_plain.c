// BUG: double-checked locking over a plain pointer.
// expect: race
#include <pthread.h>
#include <stdlib.h>

struct config {
    int value;
};

static struct config *config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused)
{
    (void)unused;
    if (!config) { // found here
        pthread_mutex_lock(&lock);
        if (!config) {
            struct config *made = malloc(sizeof *made);
            made->value = 42;
            config = made; // found here
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(config);
    return 0;
}
