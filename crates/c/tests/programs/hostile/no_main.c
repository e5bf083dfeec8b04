// Has no main function.
// expect: refused main
int answer(void)
{
    return 42;
}
