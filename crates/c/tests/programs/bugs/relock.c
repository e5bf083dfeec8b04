// BUG: a thread locks a normal mutex that it holds already.
// expect: misuse | deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); // found here
    return 0;
}
