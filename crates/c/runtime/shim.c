/* The part of the runtime that has to be in C: functions with a variable number of arguments, and what belongs to files. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

/* Whether output is shown. */
extern int mazurka_shows_output(void);
/* The program cannot be checked; this does not return to it. */
extern void mazurka_refuse(const char *what, void *caller);
extern int mazurka_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* libgcc has a function of this name for split stacks, so that the program's own must be here. */
__attribute__((visibility("hidden"), naked)) int __wrap_pthread_create(void) {
    __asm__("jmp *mazurka_pthread_create@GOTPCREL(%rip)");
}

/* What threads share in the runtime, as variables of the program: how often the list of functions to be called at the end
 * changed, and that of keys. */
__attribute__((visibility("default"))) unsigned long mazurka_exit_functions, mazurka_keys;

static int is_output(FILE *file) { return file == stdout || file == stderr; }

int __real_fflush(FILE *);

__attribute__((visibility("hidden"))) int __wrap_fflush(FILE *file) {
    /* All other files are only read. */
    if ((file != NULL && !is_output(file)) || !mazurka_shows_output()) return 0;
    return __real_fflush(file);
}

__attribute__((visibility("hidden"))) FILE *__wrap_freopen(const char *path, const char *mode, FILE *file) {
    (void)path, (void)mode, (void)file;
    mazurka_refuse("freopen()", __builtin_return_address(0));
    return NULL;
}


/* A thread ends by pthread_exit: out of all of its frames, with what is to be done in them, by the program's own unwinder. A program
 * without one has nothing to be done. */
extern void mazurka_leave_frame(unsigned long end, int is_last);
#pragma weak _Unwind_ForcedUnwind
#pragma weak _Unwind_GetCFA

static _Unwind_Reason_Code leave(int version, _Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *ending,
                                 struct _Unwind_Context *frame, void *unused) {
    (void)version, (void)class, (void)ending, (void)unused;
    mazurka_leave_frame(_Unwind_GetCFA(frame), (actions & _UA_END_OF_STACK) != 0);
    return _URC_NO_REASON;
}

/* It was caught and not thrown on, which the C library takes for a reason to abort. */
static void not_thrown_on(_Unwind_Reason_Code reason, struct _Unwind_Exception *ending) {
    (void)reason, (void)ending;
    abort();
}

/* The same for all threads: what the unwinder writes there is always the same. */
static struct _Unwind_Exception ending;

__attribute__((visibility("default"))) void mazurka_unwind(void) {
    ending.exception_cleanup = not_thrown_on;
    if (_Unwind_ForcedUnwind) _Unwind_ForcedUnwind(&ending, leave, NULL);
}
