// Transfers between accounts look at a balance and write it later: money is lost when two of thirty threads overlap.
// expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define CLERKS 30
#define ACCOUNTS 30

static atomic_int accounts[ACCOUNTS];

static void *clerk(void *argument)
{
    intptr_t i = (intptr_t)argument;
    int from = atomic_load(&accounts[i]);
    atomic_store(&accounts[i], from - 1);
    int to = atomic_load(&accounts[(i + 1) % ACCOUNTS]);
    atomic_store(&accounts[(i + 1) % ACCOUNTS], to + 1);
    return NULL;
}

int main(void)
{
    pthread_t clerks[CLERKS];
    for (int i = 0; i < CLERKS; i++)
        pthread_create(&clerks[i], NULL, clerk, (void *)(intptr_t)i);
    int sum = 0;
    for (int i = 0; i < CLERKS; i++)
        pthread_join(clerks[i], NULL);
    for (int i = 0; i < ACCOUNTS; i++)
        sum += atomic_load(&accounts[i]);
    assert(sum == 0); // found here
    return 0;
}
