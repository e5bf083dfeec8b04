// Is no C program.
// expect: refused syntax_error.c
int main(void)
{
    return 0
}
