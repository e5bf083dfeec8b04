// Threads that write different bytes of one word, and different elements by memset, do not race.
// expect: ok
// classes: 1 (nothing is shared)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static char bytes[8];
static struct {
    char a, b;
    short c;
} fields;
static int halves[2][4];

static void *thread(void *argument)
{
    int i = (int)(intptr_t)argument;
    bytes[i] = 1;
    if (i == 0)
        fields.a = 1;
    else
        fields.b = 1;
    memset(halves[i], i + 1, sizeof halves[i]);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, (void *)(intptr_t)0);
    pthread_create(&b, NULL, thread, (void *)(intptr_t)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(bytes[0] && bytes[1] && fields.a && fields.b && halves[0][3] == 0x01010101);
    return 0;
}
