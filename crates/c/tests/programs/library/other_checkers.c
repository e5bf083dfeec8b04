// What programs say to GenMC, Nidhugg and ThreadSanitizer.
// expect: ok
#include <genmc.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int __VERIFIER_load_await_aint(atomic_int *, int condition, int than);
extern int __VERIFIER_xchg_await_aint(atomic_int *, int new_value, int condition, int than);
extern void AnnotateHappensBefore(const char *file, int line, const volatile void *address);
enum { EQUAL = 2, LESS_OR_EQUAL = 6 };

static atomic_int turn;
static _Atomic(int *) shared;

static void *thread(void *unused)
{
    __VERIFIER_hp_t *hazard = __VERIFIER_hp_alloc();
    int *block = __VERIFIER_hp_protect(hazard, &shared);
    if (block == atomic_load(&shared) && block)
        assert(*block == 5);
    __VERIFIER_hp_clear(hazard);
    __VERIFIER_hp_free(hazard);
    __VERIFIER_loop_begin();
    assert(__VERIFIER_load_await_aint(&turn, EQUAL, 1) == 1);
    AnnotateHappensBefore(__FILE__, __LINE__, &turn);
    atomic_store(&turn, 2);
    return unused;
}

int main(void)
{
    pthread_t t;
    int *block = malloc(sizeof *block);
    *block = 5;
    atomic_store(&shared, block);
    pthread_create(&t, NULL, thread, NULL);
    atomic_store(&shared, NULL);
    __VERIFIER_hp_retire(block);
    assert(__VERIFIER_xchg_await_aint(&turn, 1, LESS_OR_EQUAL, 0) == 0);
    pthread_join(t, NULL);
    assert(turn == 2);
    return 0;
}
