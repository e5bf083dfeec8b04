// BUG: one thread writes a word, another one a byte of it.
// expect: race
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    uint8_t bytes[4];
} shared;

static void *bytes(void *unused)
{
    (void)unused;
    shared.bytes[2] = 1; // found here
    return NULL;
}

static void *word(void *unused)
{
    (void)unused;
    shared.word = 7; // found here
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, bytes, NULL);
    pthread_create(&b, NULL, word, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
