// Throws what nobody catches.
// expect: exception
int main()
{
    throw 42; // found here
}
