// A function hands out the address of its variable, and it is used when the function has returned.
// expect: stack-returned
// flags: -Wno-return-local-addr -Wno-dangling-pointer
__attribute__((noinline)) static int *escape(int **place)
{
    int local = 1;
    *place = &local;
    return *place;
}

int main(void)
{
    int *dangling;
    escape(&dangling);
    *dangling = 2; // found here
    return 0;
}
