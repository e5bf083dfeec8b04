// Closes standard output and error: the report comes through.
// expect: assertion
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    close(1);
    close(2);
    fclose(stdout);
    assert(0); // found here
    return 0;
}
