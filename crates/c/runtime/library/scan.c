/* Reading values out of a text, by a format. Each directive reads the text as accesses of the program, and stores its value by
 * one. */

#include "library.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>

/* Where a scan is. */
struct scan {
    const char *text;
    /* Characters that were taken. */
    size_t taken;
};

enum { LONGEST = 512 };

static void skip_space(struct scan *scan)
{
    while (isspace((unsigned char)scan->text[scan->taken]))
        scan->taken++;
}

/* What a directive says: `%*10ld`. */
struct directive {
    int is_suppressed;
    size_t width;
    /* h, H for hh, l, L for ll and the like; 0 for none. */
    char size;
    char kind;
};

static void store_integer(const struct directive *directive, unsigned long long number, va_list *arguments)
{
    void *to = va_arg(*arguments, void *);
    switch (directive->size) {
    case 'H': *(char *)to = (char)number; break;
    case 'h': *(short *)to = (short)number; break;
    case 'l': *(long *)to = (long)number; break;
    case 'L': *(long long *)to = (long long)number; break;
    default: *(int *)to = (int)number;
    }
}

/* Copies what a number of this directive can begin with: at most `width` characters. */
static size_t copy_number(char *to, const struct scan *scan, const struct directive *directive, const char *set)
{
    size_t length = 0, most = directive->width < LONGEST - 1 ? directive->width : LONGEST - 1;
    for (; length < most; length++) {
        char c = scan->text[scan->taken + length];
        if (!c || !strchr(set, c))
            break;
        to[length] = c;
    }
    to[length] = 0;
    return length;
}

static int scan_integer(struct scan *scan, const struct directive *directive, va_list *arguments)
{
    char copy[LONGEST], *end;
    int base = directive->kind == 'i' ? 0 : directive->kind == 'o' ? 8 : strchr("xXp", directive->kind) ? 16 : 10;
    skip_space(scan);
    if (!scan->text[scan->taken])
        return -1;
    copy_number(copy, scan, directive, "+-0123456789abcdefABCDEFxX");
    int is_signed = directive->kind == 'd' || directive->kind == 'i';
    unsigned long long number =
        is_signed ? (unsigned long long)strtoll(copy, &end, base) : strtoull(copy, &end, base);
    if (end == copy)
        return 0;
    scan->taken += (size_t)(end - copy);
    if (directive->is_suppressed)
        return 1;
    if (directive->kind == 'p')
        *va_arg(*arguments, void **) = (void *)(uintptr_t)number;
    else
        store_integer(directive, number, arguments);
    return 1;
}

static int scan_floating(struct scan *scan, const struct directive *directive, va_list *arguments)
{
    char copy[LONGEST], *end;
    skip_space(scan);
    if (!scan->text[scan->taken])
        return -1;
    copy_number(copy, scan, directive, "+-.0123456789abcdefABCDEFxXpPinfINFtyTYN()_");
    long double number = strtold(copy, &end);
    if (end == copy)
        return 0;
    scan->taken += (size_t)(end - copy);
    if (directive->is_suppressed)
        return 1;
    void *to = va_arg(*arguments, void *);
    if (directive->size == 'l')
        *(double *)to = (double)number;
    else if (directive->size == 'L')
        *(long double *)to = number;
    else
        *(float *)to = (float)number;
    return 1;
}

/* Whether a character is in a set that is written like `a-z]`, which ends at `end`. */
static int is_in_set(const char *set, const char *end, unsigned char character)
{
    int is_negated = *set == '^', found = 0;
    for (const char *at = set + is_negated; at < end; at++) {
        if (at[1] == '-' && at + 2 < end) {
            found |= character >= (unsigned char)at[0] && character <= (unsigned char)at[2];
            at += 2;
        } else {
            found |= character == (unsigned char)*at;
        }
    }
    return found != is_negated;
}

/* Words (%s), characters (%c) and sets (%[…]). */
static int scan_characters(struct scan *scan, const struct directive *directive, const char *set, const char *end,
                           va_list *arguments)
{
    char *to = directive->is_suppressed ? NULL : va_arg(*arguments, char *);
    size_t most = directive->width, taken = 0;
    if (directive->kind == 'c')
        most = most == SIZE_MAX ? 1 : most;
    if (directive->kind == 's')
        skip_space(scan);
    if (!scan->text[scan->taken])
        return -1;
    for (; taken < most; taken++) {
        char c = scan->text[scan->taken];
        int fits = c && (directive->kind == 'c' || (directive->kind == 's' && !isspace((unsigned char)c)) ||
                         (directive->kind == '[' && is_in_set(set, end, (unsigned char)c)));
        if (!fits)
            break;
        if (to)
            to[taken] = c;
        scan->taken++;
    }
    if (taken == 0 || (directive->kind == 'c' && taken < most))
        return 0;
    if (to && directive->kind != 'c')
        to[taken] = 0;
    return 1;
}

/* Reads a directive, behind whose % the format is. */
static const char *read_directive(const char *format, struct directive *directive)
{
    *directive = (struct directive){.width = SIZE_MAX};
    if (*format == '*') {
        directive->is_suppressed = 1;
        format++;
    }
    if (*format >= '1' && *format <= '9')
        for (directive->width = 0; *format >= '0' && *format <= '9'; format++)
            directive->width = directive->width * 10 + (size_t)(*format - '0');
    for (; *format && strchr("hlLqjztm", *format); format++) {
        if (*format == 'm')
            REFUSE("scanf() that allocates memory (%m)");
        if (*format == 'h')
            directive->size = directive->size == 'h' ? 'H' : 'h';
        else if (*format == 'l')
            directive->size = directive->size == 'l' ? 'L' : 'l';
        else
            directive->size = strchr("zt", *format) ? 'l' : 'L';
    }
    directive->kind = *format;
    return format;
}

static int scan_text(const char *text, const char *format, va_list given)
{
    va_list arguments;
    va_copy(arguments, given);
    struct scan scan = {.text = text};
    int stored = 0, result = 1;
    for (; *format && result > 0; format++) {
        if (isspace((unsigned char)*format)) {
            skip_space(&scan);
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                format++;
                skip_space(&scan);
            }
            if (scan.text[scan.taken] != *format)
                result = scan.text[scan.taken] ? 0 : -1;
            else
                scan.taken++;
            continue;
        }
        struct directive directive;
        const char *set = NULL;
        format = read_directive(format + 1, &directive);
        if (directive.kind == '[') {
            set = ++format;
            format += *format == '^';
            format += *format == ']';
            while (*format && *format != ']')
                format++;
        }
        if (directive.kind == 'n') {
            if (!directive.is_suppressed)
                store_integer(&directive, scan.taken, &arguments);
            continue;
        }
        if (strchr("diouxXp", directive.kind))
            result = scan_integer(&scan, &directive, &arguments);
        else if (strchr("aAeEfFgG", directive.kind))
            result = scan_floating(&scan, &directive, &arguments);
        else if (strchr("sc[", directive.kind) && !directive.size)
            result = scan_characters(&scan, &directive, set, format, &arguments);
        else
            REFUSE("a conversion of scanf() of wide characters, or one that is not known,");
        if (result > 0 && !directive.is_suppressed)
            stored++;
    }
    va_end(arguments);
    return result < 0 && stored == 0 ? -1 : stored;
}

LIBRARY int __wrap_vsscanf(const char *text, const char *format, va_list arguments)
{
    return scan_text(text, format, arguments);
}

LIBRARY int __wrap___isoc99_vsscanf(const char *text, const char *format, va_list arguments)
{
    return scan_text(text, format, arguments);
}

#define SCAN                                                                                                            \
    va_list arguments;                                                                                                  \
    va_start(arguments, format);                                                                                        \
    int stored = scan_text(text, format, arguments);                                                                    \
    va_end(arguments);                                                                                                  \
    return stored;

LIBRARY int __wrap_sscanf(const char *text, const char *format, ...) { SCAN }
LIBRARY int __wrap___isoc99_sscanf(const char *text, const char *format, ...) { SCAN }
LIBRARY int __wrap___isoc23_sscanf(const char *text, const char *format, ...) { SCAN }
