// Writes twenty megabytes and fails: the report does not drown in them.
// expect: assertion
#include <assert.h>
#include <stdio.h>

int main(void)
{
    for (int i = 0; i < 20 * 1024; i++) {
        for (int j = 0; j < 16; j++)
            fputs("0123456789012345678901234567890123456789012345678901234567890123", stderr);
        fputc('\n', stderr);
    }
    assert(!"done"); // found here
    return 0;
}
