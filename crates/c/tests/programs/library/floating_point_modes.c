// Rounding belongs to a thread: one changes it, and neither the others nor the next execution notice. A new thread has that
// of its creator.
// expect: ok
// flags: -frounding-math
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *inherits(void *unused)
{
    assert(fegetround() == FE_UPWARD);
    return unused;
}

static void *rounds_up(void *unused)
{
    pthread_t t;
    assert(fegetround() == FE_TONEAREST);
    x = 1;
    fesetround(FE_UPWARD);
    x = 2;
    assert(fegetround() == FE_UPWARD);
    pthread_create(&t, NULL, inherits, NULL);
    pthread_join(t, NULL);
    return unused;
}

static void *divides(void *unused)
{
    volatile double three = 3, third;
    x = 3;
    third = 1 / three;
    x = 4;
    assert(third == 0x1.5555555555555p-2);
    assert(fetestexcept(FE_INEXACT));
    return unused;
}

int main(void)
{
    assert(fegetround() == FE_TONEAREST);
    assert(!fetestexcept(FE_ALL_EXCEPT));
    pthread_t a, b;
    pthread_create(&a, NULL, rounds_up, NULL);
    pthread_create(&b, NULL, divides, NULL);
    x = 5;
    assert(fegetround() == FE_TONEAREST);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(fegetround() == FE_TONEAREST);
    assert(!fetestexcept(FE_ALL_EXCEPT));
    return 0;
}
