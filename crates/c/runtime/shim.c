/* The part of the runtime that has to be in C: functions with a variable number of arguments, and what belongs to files. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

