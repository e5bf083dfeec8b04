// Functions that are atomic sections by their names, with arguments and results of several kinds.
// expect: ok
#include <assert.h>
#include <pthread.h>

static int counter;
static double sum;

static void __VERIFIER_atomic_add(int by)
{
    counter += by;
    counter += by;
}

double __VERIFIER_atomic_average(double a, int b, double c)
{
    if (b == 0)
        return sum;
    sum += (a + c) / 2;
    return sum;
}

static void *thread(void *unused)
{
    __VERIFIER_atomic_add(2);
    double now = __VERIFIER_atomic_average(1.0, 3, 2.0);
    assert(now == 1.5 || now == 3.0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 8 && sum == 3.0);
    return 0;
}
