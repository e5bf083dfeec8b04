// BUG: frees the middle of a block.
// expect: invalid-free
#include <stdlib.h>

int main(void)
{
    char *block = malloc(16);
    free(block + 8); // found here
    return 0;
}
