// Aborts at once.
// expect: abort
#include <stdlib.h>

int main(void)
{
    abort(); // found here
}
