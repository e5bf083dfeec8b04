// The program looks into memory of the C library, of which nothing is known.
// expect: refused neither a variable
#include <stdio.h>

int main(void)
{
    return stdout->_fileno != 1;
}
