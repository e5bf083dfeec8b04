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
    if ((file == NULL || is_output(file)) && !mazurka_shows_output()) return 0;
    return __real_fflush(file);
}

/* Files may be read. What is written would stay from execution to execution. */

int __real_open(const char *, int, ...);
FILE *__real_fopen(const char *, const char *);
int __real_close(int);
int __real_fclose(FILE *);

/* Calls of strlen go to the runtime, which reads the text as an access of the program. */

static int is_for_writing(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)); }

__attribute__((visibility("hidden"))) int __wrap_open(const char *path, int flags, ...) {
    if (is_for_writing(flags)) mazurka_refuse("open() of a file for writing", __builtin_return_address(0));
    (void)strlen(path);
    return __real_open(path, flags);
}

__attribute__((visibility("hidden"))) int __wrap_open64(const char *path, int flags, ...) {
    if (is_for_writing(flags)) mazurka_refuse("open() of a file for writing", __builtin_return_address(0));
    (void)strlen(path);
    return __real_open(path, flags);
}

__attribute__((visibility("hidden"))) int __wrap_openat(int folder, const char *path, int flags, ...) {
    if (is_for_writing(flags)) mazurka_refuse("openat() of a file for writing", __builtin_return_address(0));
    (void)strlen(path);
    return openat(folder, path, flags);
}

static void refuse_writing(const char *mode, void *caller) {
    if (strchr(mode, 'w') || strchr(mode, 'a') || strchr(mode, '+')) mazurka_refuse("fopen() of a file for writing", caller);
}

__attribute__((visibility("hidden"))) FILE *__wrap_fopen(const char *path, const char *mode) {
    refuse_writing(mode, __builtin_return_address(0));
    (void)strlen(path);
    return __real_fopen(path, mode);
}

__attribute__((visibility("hidden"))) FILE *__wrap_fopen64(const char *path, const char *mode) {
    refuse_writing(mode, __builtin_return_address(0));
    (void)strlen(path);
    return __real_fopen(path, mode);
}

__attribute__((visibility("hidden"))) FILE *__wrap_freopen(const char *path, const char *mode, FILE *file) {
    (void)path, (void)mode, (void)file;
    mazurka_refuse("freopen()", __builtin_return_address(0));
    return NULL;
}

/* The checker writes there, too. */
__attribute__((visibility("hidden"))) int __wrap_close(int file) {
    return file <= STDERR_FILENO ? 0 : __real_close(file);
}

__attribute__((visibility("hidden"))) int __wrap_fclose(FILE *file) {
    return is_output(file) || file == stdin ? 0 : __real_fclose(file);
}
