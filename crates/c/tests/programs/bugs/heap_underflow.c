// BUG: an element before the first one of a block is written, where the allocator keeps its own.
// expect: out-of-bounds
#include <stdlib.h>

int main(void)
{
    int *numbers = malloc(2 * sizeof *numbers);
    volatile int i = -1;
    numbers[i] = 1; // found here
    free(numbers);
    return 0;
}
