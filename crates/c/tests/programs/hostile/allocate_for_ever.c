// Allocates until there is no more.
// expect: survives
#include <stdlib.h>
#include <string.h>

int main(void)
{
    for (;;) {
        char *memory = malloc(1 << 20);
        if (!memory)
            return 0;
        memset(memory, 1, 1 << 20);
    }
}
