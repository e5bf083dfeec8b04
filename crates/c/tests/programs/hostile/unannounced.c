// A function of the C library writes memory that another thread reads. The user says that it does not; a second opinion finds
// that it does.
// expect: refused without an announcement
// options: --paranoid --assume-harmless memfrob
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[4] = "abc";

static void *thread(void *unused)
{
    memfrob(text, 3);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    int found = text[0];
    pthread_join(t, NULL);
    return found == 0;
}
