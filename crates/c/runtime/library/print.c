/* Output. Every conversion is formatted by the C library, with the value of a variable that one thread alone has; the bytes of
 * strings are read here, as accesses of the program. Output is shown only when one execution is run again. */

#include "library.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* Says whether output is shown; and notes that there is some, so that the thread is not taken for one that waits. */
extern int mazurka_shows_output(void);

int __real_snprintf(char *, size_t, const char *, ...);
size_t __real_fwrite(const void *, size_t, size_t, FILE *);
ssize_t __real_write(int, const void *, size_t);

static int is_output(FILE *file) { return file == stdout || file == stderr; }

/* Where output goes: a file, a file by its number, or memory. */
struct sink {
    FILE *file;
    int number;
    char *to;
    /* Bytes that there is room for in memory, and that were put. */
    size_t room, length;
    /* Whether the memory grows. */
    int grows, failed;
};

/* All other files were opened to be read. */
static void fail_to_read_only(struct sink *sink)
{
    sink->failed = 1;
    errno = EBADF;
}

/* Puts bytes that one thread alone has. */
static void put(struct sink *sink, const char *bytes, size_t count)
{
    if (sink->file) {
        if (!is_output(sink->file))
            fail_to_read_only(sink);
        else if (mazurka_shows_output())
            sink->failed |= __real_fwrite(bytes, 1, count, sink->file) != count;
    } else if (sink->number >= 0) {
        if (sink->number != STDOUT_FILENO && sink->number != STDERR_FILENO)
            fail_to_read_only(sink);
        else if (mazurka_shows_output())
            sink->failed |= __real_write(sink->number, bytes, count) < 0;
    } else {
        while (sink->grows && sink->length + count >= sink->room) {
            char *grown = realloc(sink->to, sink->room * 2);
            if (!grown) {
                sink->failed = 1;
                return;
            }
            sink->to = grown;
            sink->room *= 2;
        }
        size_t left = sink->length < sink->room ? sink->room - sink->length : 0;
        memcpy(sink->to + sink->length, bytes, count < left ? count : left);
    }
    sink->length += count;
}

enum { CHUNK = 512 };

/* Puts bytes of the program. */
static void put_program(struct sink *sink, const char *bytes, size_t count)
{
    char chunk[CHUNK];
    while (count > 0) {
        size_t size = count < CHUNK ? count : CHUNK;
        memcpy(chunk, bytes, size);
        put(sink, chunk, size);
        bytes += size;
        count -= size;
    }
}

static void pad(struct sink *sink, long count)
{
    for (; count > 0; count--)
        put(sink, " ", 1);
}

/* A conversion: `%-*.3ls`. */
struct conversion {
    int left, width, has_precision, precision;
    char size[3];
    char kind;
};

static void put_string(struct sink *sink, const struct conversion *conversion, const char *text)
{
    char chunk[CHUNK];
    size_t most = conversion->has_precision ? (size_t)conversion->precision : SIZE_MAX, length = 0;
    if (!text) {
        const char *null = "(null)";
        length = most < 6 ? 0 : 6;
        memcpy(chunk, null, 6);
    } else {
        while (length < most && length < CHUNK && (chunk[length] = text[length]))
            length++;
    }
    size_t whole = length == CHUNK ? length + strnlen(text + length, most - length) : length;
    if (!conversion->left)
        pad(sink, conversion->width - (long)whole);
    put(sink, chunk, length);
    if (whole > length)
        put_program(sink, text + length, whole - length);
    if (conversion->left)
        pad(sink, conversion->width - (long)whole);
}

/* What the C library formats. */
#define PUT(value)                                                                                                      \
    do {                                                                                                                \
        char formatted[1024];                                                                                           \
        int length = __real_snprintf(formatted, sizeof formatted, text, value);                                         \
        if (length >= (int)sizeof formatted)                                                                            \
            mazurka_refuse("the formatting of a number by more than 1023 characters", caller);                           \
        if (length > 0)                                                                                                 \
            put(sink, formatted, (size_t)length);                                                                       \
    } while (0)

static int is_size(const struct conversion *conversion, const char *size) { return strcmp(conversion->size, size) == 0; }

static void convert(struct sink *sink, const struct conversion *conversion, const char *text, va_list *arguments, void *caller)
{
    int is_long = is_size(conversion, "l"), is_longer = is_size(conversion, "ll") || is_size(conversion, "j") ||
                                                        is_size(conversion, "q") || is_size(conversion, "L");
    int is_size_t = is_size(conversion, "z") || is_size(conversion, "t") || is_size(conversion, "Z");
    switch (conversion->kind) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'b':
        if (is_long)
            PUT(va_arg(*arguments, long));
        else if (is_longer)
            PUT(va_arg(*arguments, long long));
        else if (is_size_t)
            PUT(va_arg(*arguments, size_t));
        else
            PUT(va_arg(*arguments, int));
        return;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        if (is_size(conversion, "L") || is_size(conversion, "ll"))
            PUT(va_arg(*arguments, long double));
        else
            PUT(va_arg(*arguments, double));
        return;
    case 'c':
        if (is_long)
            break;
        // A zero is a character, too.
        int character = va_arg(*arguments, int);
        char byte = (char)character;
        if (!conversion->left)
            pad(sink, conversion->width - 1);
        put(sink, &byte, 1);
        if (conversion->left)
            pad(sink, conversion->width - 1);
        return;
    case 's':
        if (is_long)
            break;
        put_string(sink, conversion, va_arg(*arguments, const char *));
        return;
    case 'p':
        PUT(va_arg(*arguments, void *));
        return;
    case 'm':
        PUT(0);
        return;
    case 'n':
        if (is_long || is_longer || is_size_t)
            *va_arg(*arguments, long *) = (long)sink->length;
        else if (is_size(conversion, "h"))
            *va_arg(*arguments, short *) = (short)sink->length;
        else if (is_size(conversion, "hh"))
            *va_arg(*arguments, signed char *) = (signed char)sink->length;
        else
            *va_arg(*arguments, int *) = (int)sink->length;
        return;
    }
    mazurka_refuse("a conversion of printf() of wide characters, or one that is not known,", caller);
}

static int is_one_of(char c, const char *set)
{
    for (; *set; set++)
        if (c == *set)
            return 1;
    return 0;
}

enum { LONGEST_CONVERSION = 64 };

/* Reads a number, or takes it from the arguments, and writes it into the text for the C library. */
static const char *number(const char *format, int *value, char *text, size_t *length, va_list *arguments)
{
    *value = 0;
    if (*format == '*') {
        format++;
        *value = va_arg(*arguments, int);
    } else {
        while (*format >= '0' && *format <= '9')
            *value = *value * 10 + (*format++ - '0');
    }
    *length += (size_t)__real_snprintf(text + *length, LONGEST_CONVERSION - *length, "%d", *value);
    return format;
}

/* Puts one conversion, behind whose % the format is. What is behind it is the answer. */
static const char *put_conversion(struct sink *sink, const char *format, va_list *arguments, void *caller)
{
    struct conversion conversion = {0};
    char text[LONGEST_CONVERSION] = "%";
    size_t length = 1;
    for (; is_one_of(*format, "-+ #0'I"); format++) {
        conversion.left |= *format == '-';
        if (length < 16)
            text[length++] = *format;
    }
    if (*format == '*' || (*format >= '1' && *format <= '9')) {
        format = number(format, &conversion.width, text, &length, arguments);
        if (conversion.width < 0) {
            conversion.left = 1;
            conversion.width = -conversion.width;
        }
    }
    if (*format == '$')
        mazurka_refuse("printf() with numbered arguments", caller);
    if (*format == '.') {
        size_t before = length;
        text[length++] = '.';
        format = number(format + 1, &conversion.precision, text, &length, arguments);
        conversion.has_precision = conversion.precision >= 0;
        if (!conversion.has_precision)
            length = before;
    }
    for (size_t i = 0; is_one_of(*format, "hlLqjzZt"); format++) {
        if (i < sizeof conversion.size - 1)
            conversion.size[i++] = *format;
        text[length++] = *format;
    }
    conversion.kind = text[length++] = *format;
    text[length] = 0;
    if (!*format)
        return format;
    if (*format == '%')
        put(sink, "%", 1);
    else
        convert(sink, &conversion, text, arguments, caller);
    return format + 1;
}

static int print(struct sink *sink, const char *format, va_list given, void *caller)
{
    va_list arguments;
    va_copy(arguments, given);
    while (*format) {
        if (*format == '%') {
            format = put_conversion(sink, format + 1, &arguments, caller);
            continue;
        }
        char chunk[CHUNK];
        size_t length = 0;
        while (length < CHUNK && (chunk[length] = *format) && chunk[length] != '%')
            length++, format++;
        put(sink, chunk, length);
    }
    va_end(arguments);
    return sink->failed ? -1 : (int)sink->length;
}

static int print_to_file(FILE *file, const char *format, va_list arguments, void *caller)
{
    struct sink sink = {.file = file, .number = -1};
    return print(&sink, format, arguments, caller);
}

static int print_to_memory(char *to, size_t size, const char *format, va_list arguments, void *caller)
{
    /* One byte is for the end. */
    struct sink sink = {.number = -1, .to = to, .room = size ? size - 1 : 0};
    int length = print(&sink, format, arguments, caller);
    if (size > 0)
        to[sink.length < size ? sink.length : size - 1] = 0;
    return length;
}

static int print_to_new(char **to, const char *format, va_list arguments, void *caller)
{
    struct sink sink = {.number = -1, .to = malloc(64), .room = 64, .grows = 1};
    if (!sink.to || print(&sink, format, arguments, caller) < 0) {
        free(sink.to);
        return -1;
    }
    sink.to[sink.length] = 0;
    char *fitting = realloc(sink.to, sink.length + 1);
    *to = fitting ? fitting : sink.to;
    return (int)sink.length;
}

static int print_to_number(int number, const char *format, va_list arguments, void *caller)
{
    struct sink sink = {.number = number};
    return print(&sink, format, arguments, caller);
}

#define CALLER __builtin_return_address(0)

LIBRARY int __wrap_vfprintf(FILE *file, const char *format, va_list arguments)
{
    return print_to_file(file, format, arguments, CALLER);
}

LIBRARY int __wrap_vprintf(const char *format, va_list arguments)
{
    return print_to_file(stdout, format, arguments, CALLER);
}

LIBRARY int __wrap_vsnprintf(char *to, size_t size, const char *format, va_list arguments)
{
    return print_to_memory(to, size, format, arguments, CALLER);
}

LIBRARY int __wrap_vsprintf(char *to, const char *format, va_list arguments)
{
    return print_to_memory(to, INT32_MAX, format, arguments, CALLER);
}

LIBRARY int __wrap_vasprintf(char **to, const char *format, va_list arguments)
{
    return print_to_new(to, format, arguments, CALLER);
}

LIBRARY int __wrap_vdprintf(int number, const char *format, va_list arguments)
{
    return print_to_number(number, format, arguments, CALLER);
}

#define WITH_ARGUMENTS(print, ...)                                                                                      \
    va_list arguments;                                                                                                  \
    va_start(arguments, format);                                                                                        \
    int length = print(__VA_ARGS__, format, arguments, CALLER);                                                         \
    va_end(arguments);                                                                                                  \
    return length;

LIBRARY int __wrap_printf(const char *format, ...) { WITH_ARGUMENTS(print_to_file, stdout) }
LIBRARY int __wrap_fprintf(FILE *file, const char *format, ...) { WITH_ARGUMENTS(print_to_file, file) }
LIBRARY int __wrap_snprintf(char *to, size_t size, const char *format, ...)
{
    WITH_ARGUMENTS(print_to_memory, to, size)
}
LIBRARY int __wrap_sprintf(char *to, const char *format, ...) { WITH_ARGUMENTS(print_to_memory, to, INT32_MAX) }
LIBRARY int __wrap_asprintf(char **to, const char *format, ...) { WITH_ARGUMENTS(print_to_new, to) }
LIBRARY int __wrap_dprintf(int number, const char *format, ...) { WITH_ARGUMENTS(print_to_number, number) }

LIBRARY size_t __wrap_fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    struct sink sink = {.file = file, .number = -1};
    put_program(&sink, from, size * count);
    return sink.failed ? 0 : count;
}

LIBRARY int __wrap_fputs(const char *text, FILE *file)
{
    struct sink sink = {.file = file, .number = -1};
    put_program(&sink, text, strlen(text));
    return sink.failed ? EOF : 1;
}

LIBRARY int __wrap_puts(const char *text)
{
    return __wrap_fputs(text, stdout) < 0 ? EOF : __wrap_fputs("\n", stdout);
}

LIBRARY int __wrap_fputc(int character, FILE *file)
{
    struct sink sink = {.file = file, .number = -1};
    char byte = (char)character;
    put(&sink, &byte, 1);
    return sink.failed ? EOF : (unsigned char)character;
}

LIBRARY int __wrap_putc(int character, FILE *file) { return __wrap_fputc(character, file); }
LIBRARY int __wrap__IO_putc(int character, FILE *file) { return __wrap_fputc(character, file); }
LIBRARY int __wrap_putchar(int character) { return __wrap_fputc(character, stdout); }
LIBRARY int __wrap_putc_unlocked(int character, FILE *file) { return __wrap_fputc(character, file); }
LIBRARY int __wrap_fputc_unlocked(int character, FILE *file) { return __wrap_fputc(character, file); }
LIBRARY int __wrap_putchar_unlocked(int character) { return __wrap_fputc(character, stdout); }
LIBRARY int __wrap_fputs_unlocked(const char *text, FILE *file) { return __wrap_fputs(text, file); }
LIBRARY size_t __wrap_fwrite_unlocked(const void *from, size_t size, size_t count, FILE *file)
{
    return __wrap_fwrite(from, size, count, file);
}

LIBRARY void __wrap_perror(const char *text)
{
    if (text && *text)
        __wrap_fprintf(stderr, "%s: %s\n", text, strerror(errno));
    else
        __wrap_fprintf(stderr, "%s\n", strerror(errno));
}

LIBRARY ssize_t __wrap_write(int number, const void *from, size_t size)
{
    struct sink sink = {.number = number};
    put_program(&sink, from, size);
    return sink.failed ? -1 : (ssize_t)size;
}
