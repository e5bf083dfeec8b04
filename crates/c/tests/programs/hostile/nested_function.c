// A function within another one, which gcc has and clang has not. Its address leads to code on the stack.
// expect: refused the address of a nested function | refused the compilation of
#include <pthread.h>
#include <stddef.h>

int main(void)
{
    int counter = 0;
    void *count(void *unused)
    {
        counter++;
        return unused;
    }
    pthread_t one, other;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&other, NULL, count, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return counter;
}
