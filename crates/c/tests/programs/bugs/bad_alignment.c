// Memory is asked for with an alignment that is no power of two.
// expect: misuse
#include <stdlib.h>

static volatile int alignment = 24;

int main(void)
{
    free(aligned_alloc(alignment, 48)); // found here
    return 0;
}
