// BUG: reach_error is reached when a choice comes out so.
// expect: assertion | abort
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);

void reach_error(void)
{
    __assert_fail("0", __FILE__, 13, "reach_error"); // found here
}

int main(void)
{
    if (__VERIFIER_nondet_bool())
        reach_error();
    return 0;
}
