// BUG: two threads copy into one buffer by the compiler's own functions, which compilers replace by instructions.
// expect: race
#include <pthread.h>

static char buffer[64];

static void *copier(void *unused)
{
    __builtin_memcpy(buffer, "hello", 5); // found here
    return unused;
}

static void *cleaner(void *unused)
{
    __builtin_memset(buffer + 3, 0, 7); // found here
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, copier, 0);
    pthread_create(&b, 0, cleaner, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
