// Loops without touching anything.
// expect: hang
// flags: -Wno-infinite-recursion
int main(void)
{
    for (volatile int local = 0;; local++) // found here
        ;
}
