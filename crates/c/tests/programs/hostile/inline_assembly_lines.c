// Adds to memory by inline assembly that is written on several lines.
// expect: refused asm | refused assembl
static int counter;

int main(void)
{
    __asm__ __volatile__(
        ""
        "lock; addl $1, %0"
        : "+m"(counter));
    return counter != 1;
}
