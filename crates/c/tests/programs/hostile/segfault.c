// Writes through a pointer to nowhere.
// expect: segfault
int main(void)
{
    *(volatile int *)16 = 1; // found here
    return 0;
}
