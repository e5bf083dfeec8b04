// The program uses memory that a library has allocated, and that nothing is known of.
// expect: refused no memory of the program
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = fopen("/proc/self/status", "r");
    if (count < 1 || !arguments[0][0] || !memory)
        return 1;
    if (getdelim(&text, &size, '\n', memory) < 1)
        return 1;
    text[0] = 'x';
    return 0;
}
