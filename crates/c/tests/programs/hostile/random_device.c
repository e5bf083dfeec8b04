// What is read differs from execution to execution.
// expect: refused a file that is no regular one
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/dev/urandom", "r");
    int byte = file ? fgetc(file) : 0;
    return byte == 3;
}
