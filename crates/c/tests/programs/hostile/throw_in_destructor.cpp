// An exception during unwinding ends the program.
// expect: exception | abort
struct Thrower {
    ~Thrower() noexcept(false) { throw 2; }
};

int main()
{
    try {
        Thrower thrower;
        throw 1;
    } catch (int) {
    }
}
