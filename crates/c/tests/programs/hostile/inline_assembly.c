// Adds to memory by inline assembly, which nobody sees.
// expect: refused asm | refused assembl
static int counter;

int main(void)
{
    __asm__ volatile("lock; addl $1, %0" : "+m"(counter));
    return counter != 1;
}
