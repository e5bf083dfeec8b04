// A function that verification competitions take as an atomic section by its name alone.
// expect: refused __VERIFIER_atomic_add
static int counter;

static void __VERIFIER_atomic_add(void)
{
    counter++;
}

int main(void)
{
    __VERIFIER_atomic_add();
    return counter != 1;
}
