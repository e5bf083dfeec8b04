// Overwrites all of its own data and what lies behind.
// expect: survives
#include <string.h>

static char first[16];

int main(void)
{
    memset(first, 0x41, (size_t)1 << 20);
    return 0;
}
