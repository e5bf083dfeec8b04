// Ends its process by a function that it looks up, so that nobody sees the call.
// expect: refused ended the process
// options: --assume-harmless dlsym
#define _GNU_SOURCE
#include <dlfcn.h>

int main(void)
{
    void (*end)(int);
    *(void **)&end = dlsym(RTLD_DEFAULT, "_exit");
    end(0);
    return 0;
}
