// BUG: the length of a string is taken while another thread writes it.
// expect: race
#include <pthread.h>
#include <string.h>

static char name[16];
static size_t length;

static void *writer(void *unused)
{
    (void)unused;
    strcpy(name, "mazurka");
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    length = strlen(name);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
