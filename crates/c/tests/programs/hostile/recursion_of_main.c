// Recurses until the stack of the main thread is used up.
// expect: stack-overflow
// flags: -Wno-infinite-recursion
static int down(volatile int *above)
{
    volatile int here; return here = *above + 1, down(&here) + here; // found here
}

int main(void)
{
    volatile int start = 0;
    return down(&start);
}
