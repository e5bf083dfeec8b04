// Jumps into the frame of another thread.
// expect: refused jmp | segfault | abort
#include <pthread.h>
#include <setjmp.h>

static jmp_buf place;

static void *thread(void *unused)
{
    longjmp(place, 1);
    return unused;
}

int main(void)
{
    if (setjmp(place) == 0) {
        pthread_t t;
        pthread_create(&t, NULL, thread, NULL);
        pthread_join(t, NULL);
    }
    return 0;
}
