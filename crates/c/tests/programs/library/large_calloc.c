// Memory from calloc is zeros in every execution, whatever an earlier one wrote there.
// expect: ok
// classes: 20 (the orders of 3 additions and 3 exchanges)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SIZE = 3 << 20, ROUNDS = 3 };
atomic_int turns, warm;

void *other(void *argument)
{
    for (int i = 0; i < 5; i++) atomic_load(&warm);
    char *memory = calloc(1, SIZE);
    for (int i = 0; i < SIZE; i += 512) {
        assert(memory[i] == 0);
        memory[i] = 1;
    }
    for (int i = 0; i < ROUNDS; i++) atomic_fetch_add(&turns, 1);
    free(memory);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (int i = 0; i < 5; i++) atomic_load(&warm);
    for (int i = 0; i < ROUNDS; i++) atomic_exchange(&turns, i);
    pthread_join(thread, NULL);
}
