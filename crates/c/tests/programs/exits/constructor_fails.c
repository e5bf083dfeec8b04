// A constructor fails, before main.
// expect: assertion
#include <assert.h>

static int number;

__attribute__((constructor)) static void before_main(void)
{
    assert(number == 1); // found here
}

int main(void)
{
    return 0;
}
