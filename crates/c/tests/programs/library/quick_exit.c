// The program ends at once, without what it wanted to be called at its end.
// expect: ok
#include <assert.h>
#include <stdlib.h>

static void never(void)
{
    assert(0);
}

int main(void)
{
    atexit(never);
    quick_exit(0);
}
