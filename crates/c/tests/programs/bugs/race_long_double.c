// BUG: two threads access a long double and a vector of 32 bytes, which take unusual instructions.
// expect: race
#include <pthread.h>

typedef double four __attribute__((vector_size(32)));

static long double number;
static four numbers;

static void *writer(void *unused)
{
    number = 1; // found here
    numbers = (four){1, 2, 3, 4};
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    long double seen = number; // found here
    double first = numbers[0];
    pthread_join(t, NULL);
    return seen + first > 3;
}
