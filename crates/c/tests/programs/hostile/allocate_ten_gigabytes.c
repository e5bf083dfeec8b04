// Asks for ten gigabytes and uses them if it gets them.
// expect: survives
#include <stdlib.h>
#include <string.h>

int main(void)
{
    size_t size = (size_t)10 << 30;
    char *memory = malloc(size);
    if (!memory)
        return 0;
    memset(memory, 1, size);
    free(memory);
    return 0;
}
