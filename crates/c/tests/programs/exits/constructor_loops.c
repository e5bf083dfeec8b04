// A constructor never comes to an end.
// expect: hang
// options: --hang-after 500ms
static volatile int go_on = 1;
static unsigned long rounds;

__attribute__((constructor)) static void before_main(void)
{
    while (go_on)
        rounds = rounds * 3 + 1;
}

int main(void)
{
    return 0;
}
