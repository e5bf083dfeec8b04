// A thread uses up its stack by calls that do nothing but allocate: what of the runtime is in C++ must notice it, too. It would otherwise
// go on to the end of what is reserved for the runtime, and fail in the middle of one of its changes.
// expect: stack-overflow

#include <thread>

static long deep(long n)
{
    char *block = new char[1];
    long below = deep(n + 1) + (block != nullptr);
    delete[] block;
    return below;
}

int main()
{
    std::thread([] { deep(0); }).join();
}
