// Becomes another program.
// expect: refused exec
#include <unistd.h>

int main(void)
{
    return execl("/bin/true", "true", (char *)0);
}
