// Functions of the program's own with names of the C library are its own.
// expect: ok
#include <assert.h>

static int calls;

int write(int a)
{
    calls++;
    return a;
}

int open(int a)
{
    return a;
}

int close(int a)
{
    return a;
}

int read(int a)
{
    return a;
}

int main(void)
{
    assert(write(1) + open(2) + close(3) + read(4) == 10);
    assert(calls == 1);
    return 0;
}
