// Ends with a status that says that something went wrong; that is for the program to say, and no finding.
// expect: ok
int main(void)
{
    return 3;
}
