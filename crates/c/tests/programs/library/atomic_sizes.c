// Atomic operations of every size and kind, on values that need all of their bits.
// expect: ok
// classes: 2 (the two exchanges of the last variable)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static _Atomic(int8_t) s8 = -1;
static _Atomic(uint16_t) u16 = 0xfff0;
static _Atomic(int32_t) s32 = INT32_MIN;
static _Atomic(uint64_t) u64 = UINT64_MAX - 1;
static atomic_bool flag;
static _Atomic(char *) pointer;
static atomic_long shared;

static void *sizes(void *unused)
{
    (void)unused;
    assert(atomic_fetch_sub(&s8, 127) == -1 && s8 == -128 && --s8 == 127);
    assert(atomic_fetch_add(&u16, 0x20) == 0xfff0 && u16 == 0x10);
    assert(atomic_fetch_or(&s32, 1) == INT32_MIN && atomic_fetch_and(&s32, 1) == INT32_MIN + 1 && s32 == 1);
    assert(atomic_fetch_xor(&u64, 1) == UINT64_MAX - 1 && u64 == UINT64_MAX && ++u64 == 0);
    assert(!atomic_exchange(&flag, true) && flag);
    char buffer[4];
    pointer = buffer;
    assert(atomic_fetch_add(&pointer, 2) == buffer && pointer == buffer + 2);
    atomic_exchange(&shared, INT64_MAX);
    return NULL;
}

static void *other(void *unused)
{
    (void)unused;
    atomic_exchange(&shared, INT64_MIN);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sizes, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
