// A destructor never comes to an end.
// expect: hang
// options: --hang-after 500ms
static volatile int go_on = 1;
static unsigned long rounds;

__attribute__((destructor)) static void at_end(void)
{
    while (go_on)
        rounds = rounds * 3 + 1;
}

int main(void)
{
    return 0;
}
