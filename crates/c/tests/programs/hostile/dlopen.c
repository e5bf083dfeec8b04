// Loads a library while it runs.
// expect: refused dlopen
#include <dlfcn.h>

int main(void)
{
    return dlopen("libm.so.6", RTLD_NOW) == 0;
}
