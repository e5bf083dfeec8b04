// Traps.
// expect: illegal-instruction
int main(void)
{
    __builtin_trap(); // found here
}
