// Kills itself by a signal that cannot be caught: the checker lives on and says so.
// expect: refused kill | refused raise | refused signal
#include <signal.h>

int main(void)
{
    raise(SIGKILL);
    return 0;
}
