// Changes its environment, which would be left from execution to execution.
// expect: refused setenv
#define _GNU_SOURCE
#include <stdlib.h>

int main(void)
{
    return setenv("NAME", "value", 1);
}
