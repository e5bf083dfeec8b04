/* What programs written for GenMC include. Threads, locks and atomics come from the standard headers here. */
#ifndef MAZURKA_GENMC_H
#define MAZURKA_GENMC_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    void *mazurka_hazard_pointer;
} __VERIFIER_hazptr_t;
typedef __VERIFIER_hazptr_t __VERIFIER_hp_t;

extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_loop_begin(void);
extern void __VERIFIER_loop_bound(int);
extern void __VERIFIER_spin_start(void);
extern void __VERIFIER_spin_end(int);
extern int __VERIFIER_opt_begin(void);
extern void __VERIFIER_annotate_begin(int);
extern void __VERIFIER_annotate_end(int);
extern __VERIFIER_hazptr_t *__VERIFIER_hazptr_alloc(void);
extern void __VERIFIER_hazptr_protect(__VERIFIER_hazptr_t *, void *);
extern void __VERIFIER_hazptr_clear(__VERIFIER_hazptr_t *);
extern void __VERIFIER_hazptr_free(__VERIFIER_hazptr_t *);
extern void __VERIFIER_hazptr_retire(void *);

/* Hints: what they enclose is done. */
#define __VERIFIER_local_write(x) x
#define __VERIFIER_final_write(x) x
#define __VERIFIER_final_CAS(x) x
#define __VERIFIER_helping_CAS(x) x
#define __VERIFIER_helped_CAS(x) x
#define __VERIFIER_speculative_read(x) x
#define __VERIFIER_confirming_read(x) x
#define __VERIFIER_confirming_CAS(x) x

#define __VERIFIER_optional(x)                                                                                          \
    do {                                                                                                                \
        if (__VERIFIER_opt_begin()) {                                                                                   \
            x;                                                                                                          \
            __VERIFIER_assume(0);                                                                                       \
        }                                                                                                               \
    } while (0)

#define __VERIFIER_hp_alloc() __VERIFIER_hazptr_alloc()
#define __VERIFIER_hp_clear(pointer) __VERIFIER_hazptr_clear(pointer)
#define __VERIFIER_hp_free(pointer) __VERIFIER_hazptr_free(pointer)
#define __VERIFIER_hp_retire(block) __VERIFIER_hazptr_retire(block)
#define __VERIFIER_hp_protect(pointer, variable)                                                                        \
    ({                                                                                                                  \
        void *mazurka_protected = __atomic_load_n((void **)(variable), __ATOMIC_ACQUIRE);                               \
        __VERIFIER_hazptr_protect(pointer, mazurka_protected);                                                          \
        mazurka_protected;                                                                                              \
    })

#ifdef __cplusplus
}
#endif

#endif
