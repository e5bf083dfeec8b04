// A semaphore that is posted when it has its greatest value. (Whether the post fails depends on the order of posts, which commute elsewhere.)
// expect: refused SEM_VALUE_MAX
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *thread(void *unused)
{
    sem_post(&semaphore);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&semaphore, 0, SEM_VALUE_MAX - 1);
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
