// Becomes another program, by a less known function.
// expect: refused execvpe
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    char *none[] = {NULL};
    execvpe("true", none, none);
    return 0;
}
