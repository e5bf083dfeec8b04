/* The part of the runtime that has to be in C: functions with a variable number of arguments.
 *
 * The program's output is shown only when one execution is run again. Its length is told either way. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
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

int __real_vsnprintf(char *, size_t, const char *, va_list);
int __real_vfprintf(FILE *, const char *, va_list);
size_t __real_fwrite(const void *, size_t, size_t, FILE *);
int __real_fputs(const char *, FILE *);
int __real_fputc(int, FILE *);
int __real_fflush(FILE *);
ssize_t __real_write(int, const void *, size_t);

__attribute__((visibility("hidden"))) int __wrap_vfprintf(FILE *file, const char *format, va_list arguments) {
    if (is_output(file) && !mazurka_shows_output()) return __real_vsnprintf(NULL, 0, format, arguments);
    return __real_vfprintf(file, format, arguments);
}

__attribute__((visibility("hidden"))) int __wrap_fprintf(FILE *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = __wrap_vfprintf(file, format, arguments);
    va_end(arguments);
    return length;
}

__attribute__((visibility("hidden"))) int __wrap_vprintf(const char *format, va_list arguments) {
    return __wrap_vfprintf(stdout, format, arguments);
}

__attribute__((visibility("hidden"))) int __wrap_printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = __wrap_vfprintf(stdout, format, arguments);
    va_end(arguments);
    return length;
}

__attribute__((visibility("hidden"))) size_t __wrap_fwrite(const void *from, size_t size, size_t count, FILE *file) {
    if (is_output(file) && !mazurka_shows_output()) return count;
    return __real_fwrite(from, size, count, file);
}

__attribute__((visibility("hidden"))) int __wrap_fputs(const char *text, FILE *file) {
    if (is_output(file) && !mazurka_shows_output()) return 1;
    return __real_fputs(text, file);
}

__attribute__((visibility("hidden"))) int __wrap_puts(const char *text) {
    if (__wrap_fputs(text, stdout) < 0) return EOF;
    return __wrap_fputs("\n", stdout);
}

__attribute__((visibility("hidden"))) int __wrap_fputc(int character, FILE *file) {
    if (is_output(file) && !mazurka_shows_output()) return (unsigned char)character;
    return __real_fputc(character, file);
}

__attribute__((visibility("hidden"))) int __wrap_putc(int character, FILE *file) { return __wrap_fputc(character, file); }

__attribute__((visibility("hidden"))) int __wrap_putchar(int character) { return __wrap_fputc(character, stdout); }

__attribute__((visibility("hidden"))) int __wrap_fflush(FILE *file) {
    if ((file == NULL || is_output(file)) && !mazurka_shows_output()) return 0;
    return __real_fflush(file);
}

__attribute__((visibility("hidden"))) void __wrap_perror(const char *text) {
    __wrap_fprintf(stderr, "%s: %s\n", text, strerror(errno));
}

__attribute__((visibility("hidden"))) ssize_t __wrap_write(int file, const void *from, size_t size) {
    if ((file == STDOUT_FILENO || file == STDERR_FILENO) && !mazurka_shows_output()) return (ssize_t)size;
    return __real_write(file, from, size);
}

/* Files may be read. What is written would stay from execution to execution. */

int __real_open(const char *, int, ...);
FILE *__real_fopen(const char *, const char *);
int __real_close(int);
int __real_fclose(FILE *);

static int is_for_writing(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)); }

__attribute__((visibility("hidden"))) int __wrap_open(const char *path, int flags, ...) {
    if (is_for_writing(flags)) mazurka_refuse("open() of a file for writing", __builtin_return_address(0));
    return __real_open(path, flags);
}

__attribute__((visibility("hidden"))) int __wrap_open64(const char *path, int flags, ...) {
    if (is_for_writing(flags)) mazurka_refuse("open() of a file for writing", __builtin_return_address(0));
    return __real_open(path, flags);
}

__attribute__((visibility("hidden"))) int __wrap_openat(int folder, const char *path, int flags, ...) {
    if (is_for_writing(flags)) mazurka_refuse("openat() of a file for writing", __builtin_return_address(0));
    return openat(folder, path, flags);
}

static void refuse_writing(const char *mode, void *caller) {
    if (strpbrk(mode, "wa+")) mazurka_refuse("fopen() of a file for writing", caller);
}

__attribute__((visibility("hidden"))) FILE *__wrap_fopen(const char *path, const char *mode) {
    refuse_writing(mode, __builtin_return_address(0));
    return __real_fopen(path, mode);
}

__attribute__((visibility("hidden"))) FILE *__wrap_fopen64(const char *path, const char *mode) {
    refuse_writing(mode, __builtin_return_address(0));
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

/* Formatting writes to memory that other threads may use: first elsewhere, then there, byte by byte. */

extern void *mazurka_copy(void *to, const void *from, size_t size, void *caller);

enum { LONGEST = 4096 };

static int format(char *to, size_t size, const char *text, va_list arguments, void *caller) {
    char buffer[LONGEST];
    int length = __real_vsnprintf(buffer, size < LONGEST ? size : LONGEST, text, arguments);
    if (length >= LONGEST && size > LONGEST) mazurka_refuse("formatting of more than 4095 bytes", caller);
    if (length >= 0 && size > 0) mazurka_copy(to, buffer, (size_t)length < size ? (size_t)length + 1 : size, caller);
    return length;
}

__attribute__((visibility("hidden"))) int __wrap_vsnprintf(char *to, size_t size, const char *text, va_list arguments) {
    return format(to, size, text, arguments, __builtin_return_address(0));
}

__attribute__((visibility("hidden"))) int __wrap_snprintf(char *to, size_t size, const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    int length = format(to, size, text, arguments, __builtin_return_address(0));
    va_end(arguments);
    return length;
}

__attribute__((visibility("hidden"))) int __wrap_vsprintf(char *to, const char *text, va_list arguments) {
    return format(to, (size_t)-1, text, arguments, __builtin_return_address(0));
}

__attribute__((visibility("hidden"))) int __wrap_sprintf(char *to, const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    int length = format(to, LONGEST, text, arguments, __builtin_return_address(0));
    va_end(arguments);
    return length;
}
