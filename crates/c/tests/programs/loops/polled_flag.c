// A flag that three threads poll under its mutex: each order of their last looks is a class.
// expect: ok
// classes: 6
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *poll(void *unused)
{
    int is_set;
    do {
        pthread_mutex_lock(&mutex);
        is_set = flag;
        pthread_mutex_unlock(&mutex);
    } while (!is_set);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, poll, NULL);
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
