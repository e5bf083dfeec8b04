// Installs a signal handler.
// expect: refused signal | refused sigaction
#include <signal.h>

static void handler(int number)
{
    (void)number;
}

int main(void)
{
    signal(SIGUSR1, handler);
    return 0;
}
