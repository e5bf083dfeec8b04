// A function that asks not to be instrumented is instrumented all the same (by clang; gcc leaves it out, so that it is refused).
// expect: race
// by gcc: refused no_sanitize
#include <pthread.h>

static int counter;

__attribute__((no_sanitize("thread"))) static void *thread(void *unused)
{
    counter++; // found here
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
