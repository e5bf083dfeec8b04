// Runs a command.
// expect: refused system
#include <stdlib.h>

int main(void)
{
    return system("true");
}
