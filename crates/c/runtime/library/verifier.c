/* What programs say to other checkers: GenMC, Nidhugg, the tools of the software verification competition, and ThreadSanitizer. A program
 * that defines one of these itself keeps its own. */

#include "library.h"
#include <pthread.h>
#include <stdint.h>

#define WEAK LIBRARY __attribute__((weak))

extern unsigned mzk_choose(unsigned);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

/* Hints on how to explore. Loops that wait are found without them. */

WEAK void __VERIFIER_loop_begin(void) {}
WEAK void __VERIFIER_loop_bound(int bound) { (void)bound; }
WEAK void __VERIFIER_spin_start(void) {}
WEAK void __VERIFIER_spin_end(int ends) { (void)ends; }
WEAK void __VERIFIER_annotate_begin(int mask) { (void)mask; }
WEAK void __VERIFIER_annotate_end(int mask) { (void)mask; }
/* With and without what is optional. */
WEAK int __VERIFIER_opt_begin(void) { return (int)mzk_choose(2); }

/* Threads. */

WEAK pthread_t __VERIFIER_thread_create(const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
    (void)attributes;
    pthread_t thread;
    return pthread_create(&thread, NULL, function, argument) == 0 ? thread : (pthread_t)-1;
}

WEAK void *__VERIFIER_thread_join(pthread_t thread)
{
    void *result = NULL;
    pthread_join(thread, &result);
    return result;
}

WEAK pthread_t __VERIFIER_thread_self(void) { return pthread_self(); }
WEAK void __VERIFIER_thread_exit(void *result) { pthread_exit(result); }

/* Numbers of so many values that they cannot all be tried. */

#define REFUSED(name, type)                                                                                             \
    WEAK type __VERIFIER_nondet_##name(void)                                                                            \
    {                                                                                                                   \
        REFUSE("__VERIFIER_nondet_" #name "(), for it has too many values (use mzk_choose(n) of mazurka.h),");          \
        return (type)0;                                                                                                 \
    }

REFUSED(longlong, long long)
REFUSED(ulonglong, unsigned long long)
REFUSED(size_t, size_t)
REFUSED(unsigned, unsigned)
REFUSED(unsigned_int, unsigned)
REFUSED(u16, uint16_t)
REFUSED(u32, uint32_t)
REFUSED(u64, uint64_t)
REFUSED(int128, __int128)
REFUSED(uint128, unsigned __int128)
REFUSED(float, float)
REFUSED(double, double)
REFUSED(loff_t, long)
REFUSED(sector_t, unsigned long)
REFUSED(pointer, void *)
REFUSED(pchar, char *)
REFUSED(const_char_pointer, const char *)

/* Every one of 256 values is tried. */
WEAK signed char __VERIFIER_nondet_schar(void) { return (signed char)mzk_choose(256); }
WEAK uint8_t __VERIFIER_nondet_u8(void) { return (uint8_t)mzk_choose(256); }
WEAK unsigned char __VERIFIER_nondet_unsigned_char(void) { return (unsigned char)mzk_choose(256); }
WEAK _Bool __VERIFIER_nondet__Bool(void) { return mzk_choose(2); }

/* Nidhugg waits for a condition on the value of a variable: greater (1), equal (2) or less (4), signed (8). */

static int holds(int condition, uint64_t value, uint64_t than, unsigned bytes)
{
    unsigned shift = 64 - 8 * bytes;
    int less = value < than;
    if (condition & 8)
        less = (int64_t)(value << shift) < (int64_t)(than << shift);
    return (condition & (value == than ? 2 : less ? 4 : 1)) != 0;
}

#define AWAITS(name, type)                                                                                              \
    WEAK type __VERIFIER_load_await_##name(type *variable, int condition, type than)                                    \
    {                                                                                                                   \
        for (;;) {                                                                                                      \
            type value = __atomic_load_n(variable, __ATOMIC_SEQ_CST);                                                   \
            if (holds(condition, value, than, sizeof value))                                                            \
                return value;                                                                                           \
        }                                                                                                               \
    }                                                                                                                   \
    WEAK type __VERIFIER_xchg_await_##name(type *variable, type new, int condition, type than)                          \
    {                                                                                                                   \
        for (;;) {                                                                                                      \
            type value = __atomic_load_n(variable, __ATOMIC_SEQ_CST);                                                   \
            if (holds(condition, value, than, sizeof value) &&                                                          \
                __atomic_compare_exchange_n(variable, &value, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))              \
                return value;                                                                                           \
        }                                                                                                               \
    }

AWAITS(i8, uint8_t)
AWAITS(i16, uint16_t)
AWAITS(i32, uint32_t)
AWAITS(i64, uint64_t)
AWAITS(aint, unsigned)

/* Hazard pointers: what was retired is freed as soon as none protects it. Each function is one step. */

struct hazard {
    void *protected;
    struct hazard *next;
};

struct retired {
    void *block;
    struct retired *next;
};

static struct hazard *hazards;
static struct retired *all_retired;

static int is_protected(void *block)
{
    for (struct hazard *hazard = hazards; hazard; hazard = hazard->next)
        if (hazard->protected == block)
            return 1;
    return 0;
}

static void free_unprotected(void)
{
    struct retired **link = &all_retired;
    while (*link) {
        struct retired *retired = *link;
        if (is_protected(retired->block)) {
            link = &retired->next;
            continue;
        }
        *link = retired->next;
        free(retired->block);
        free(retired);
    }
}

WEAK void *__VERIFIER_hazptr_alloc(void)
{
    __VERIFIER_atomic_begin();
    struct hazard *hazard = calloc(1, sizeof *hazard);
    hazard->next = hazards;
    hazards = hazard;
    __VERIFIER_atomic_end();
    return hazard;
}

WEAK void __VERIFIER_hazptr_protect(void *pointer, void *block)
{
    __VERIFIER_atomic_begin();
    ((struct hazard *)pointer)->protected = block;
    free_unprotected();
    __VERIFIER_atomic_end();
}

WEAK void __VERIFIER_hazptr_clear(void *pointer) { __VERIFIER_hazptr_protect(pointer, NULL); }

WEAK void __VERIFIER_hazptr_free(void *pointer)
{
    __VERIFIER_atomic_begin();
    struct hazard **link = &hazards;
    while (*link != pointer)
        link = &(*link)->next;
    *link = (*link)->next;
    free(pointer);
    free_unprotected();
    __VERIFIER_atomic_end();
}

WEAK void __VERIFIER_hazptr_retire(void *block)
{
    __VERIFIER_atomic_begin();
    struct retired *retired = malloc(sizeof *retired);
    *retired = (struct retired){block, all_retired};
    all_retired = retired;
    free_unprotected();
    __VERIFIER_atomic_end();
}

/* Annotations for ThreadSanitizer: all synchronisation is seen as it is, and no race is passed over. */

#define ANNOTATION(name, ...)                                                                                           \
    WEAK void name(__VA_ARGS__) {}

ANNOTATION(AnnotateHappensBefore, void)
ANNOTATION(AnnotateHappensAfter, void)
ANNOTATION(AnnotateCondVarSignal, void)
ANNOTATION(AnnotateCondVarSignalAll, void)
ANNOTATION(AnnotateCondVarWait, void)
ANNOTATION(AnnotateRWLockCreate, void)
ANNOTATION(AnnotateRWLockCreateStatic, void)
ANNOTATION(AnnotateRWLockDestroy, void)
ANNOTATION(AnnotateRWLockAcquired, void)
ANNOTATION(AnnotateRWLockReleased, void)
ANNOTATION(AnnotateIgnoreReadsBegin, void)
ANNOTATION(AnnotateIgnoreReadsEnd, void)
ANNOTATION(AnnotateIgnoreWritesBegin, void)
ANNOTATION(AnnotateIgnoreWritesEnd, void)
ANNOTATION(AnnotateIgnoreSyncBegin, void)
ANNOTATION(AnnotateIgnoreSyncEnd, void)
ANNOTATION(AnnotateBenignRace, void)
ANNOTATION(AnnotateBenignRaceSized, void)
ANNOTATION(AnnotateNewMemory, void)
ANNOTATION(AnnotateThreadName, void)
ANNOTATION(AnnotateFlushState, void)
ANNOTATION(AnnotateEnableRaceDetection, void)
ANNOTATION(AnnotatePublishMemoryRange, void)
ANNOTATION(AnnotateUnpublishMemoryRange, void)
ANNOTATION(__tsan_acquire, void)
ANNOTATION(__tsan_release, void)
ANNOTATION(__tsan_mutex_create, void)
ANNOTATION(__tsan_mutex_destroy, void)
ANNOTATION(__tsan_mutex_pre_lock, void)
ANNOTATION(__tsan_mutex_post_lock, void)
ANNOTATION(__tsan_mutex_pre_signal, void)
ANNOTATION(__tsan_mutex_post_signal, void)
ANNOTATION(__tsan_mutex_pre_divert, void)
ANNOTATION(__tsan_mutex_post_divert, void)
WEAK int __tsan_mutex_pre_unlock(void *mutex, unsigned flags)
{
    (void)mutex, (void)flags;
    return 0;
}
WEAK void __tsan_mutex_post_unlock(void *mutex, unsigned flags) { (void)mutex, (void)flags; }
