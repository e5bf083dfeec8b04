/* The part of the runtime that has to be in C: functions with a variable number of arguments.
 *
 * The program's output is shown only when one execution is run again. Its length is told either way. */

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whether output is shown. */
extern int mazurka_shows_output(void);
extern int mazurka_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* libgcc has a function of this name for split stacks, so that the program's own must be here. */
__attribute__((visibility("hidden"), naked)) int __wrap_pthread_create(void) {
    __asm__("jmp *mazurka_pthread_create@GOTPCREL(%rip)");
}

static int is_output(FILE *file) { return file == stdout || file == stderr; }

int __real_vfprintf(FILE *, const char *, va_list);
size_t __real_fwrite(const void *, size_t, size_t, FILE *);
int __real_fputs(const char *, FILE *);
int __real_fputc(int, FILE *);
int __real_fflush(FILE *);
ssize_t __real_write(int, const void *, size_t);

__attribute__((visibility("hidden"))) int __wrap_vfprintf(FILE *file, const char *format, va_list arguments) {
    if (is_output(file) && !mazurka_shows_output()) return vsnprintf(NULL, 0, format, arguments);
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
