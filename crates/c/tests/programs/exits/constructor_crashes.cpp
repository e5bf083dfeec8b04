// The constructor of a global object uses a null pointer.
// expect: segfault
struct Global {
    int *pointer = nullptr;
    Global() { *pointer = 1; } // found here
};

static Global global;

int main()
{
    return 0;
}
