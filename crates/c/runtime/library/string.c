/* Functions on strings and bytes. They are compiled with the program, so that their accesses are the program's. */

#include "library.h"
#include <ctype.h>
#include <stdint.h>
#include <wchar.h>

LIBRARY void *__wrap_mempcpy(void *to, const void *from, size_t size) { return (char *)memcpy(to, from, size) + size; }

LIBRARY void __wrap_bzero(void *to, size_t size) { memset(to, 0, size); }
LIBRARY void __wrap_explicit_bzero(void *to, size_t size) { memset(to, 0, size); }
LIBRARY void __wrap_bcopy(const void *from, void *to, size_t size) { memmove(to, from, size); }
LIBRARY int __wrap_bcmp(const void *one, const void *other, size_t size) { return memcmp(one, other, size); }

LIBRARY void *__wrap_memrchr(const void *at, int byte, size_t size)
{
    const unsigned char *bytes = at;
    while (size-- > 0)
        if (bytes[size] == (unsigned char)byte)
            return (void *)(bytes + size);
    return NULL;
}

LIBRARY void *__wrap_rawmemchr(const void *at, int byte)
{
    const unsigned char *bytes = at;
    while (*bytes != (unsigned char)byte)
        bytes++;
    return (void *)bytes;
}

LIBRARY void *__wrap_memccpy(void *to, const void *from, int last, size_t size)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = source[i];
        target[i] = byte;
        if (byte == (unsigned char)last)
            return target + i + 1;
    }
    return NULL;
}

LIBRARY void *__wrap_memmem(const void *at, size_t size, const void *what, size_t length)
{
    const char *bytes = at;
    for (size_t i = 0; length <= size && i <= size - length; i++)
        if (memcmp(bytes + i, what, length) == 0)
            return (void *)(bytes + i);
    return NULL;
}

LIBRARY void __wrap_swab(const void *from, void *to, ssize_t size)
{
    const char *source = from;
    char *target = to;
    for (ssize_t i = 0; i + 1 < size; i += 2) {
        char first = source[i], second = source[i + 1];
        target[i] = second;
        target[i + 1] = first;
    }
}

LIBRARY char *__wrap_strchrnul(const char *text, int character)
{
    while (*text && *text != (char)character)
        text++;
    return (char *)text;
}

LIBRARY char *__wrap_strrchr(const char *text, int character)
{
    const char *last = NULL;
    do
        if (*text == (char)character)
            last = text;
    while (*text++);
    return (char *)last;
}

LIBRARY char *__wrap_index(const char *text, int character) { return strchr(text, character); }
LIBRARY char *__wrap_rindex(const char *text, int character) { return __wrap_strrchr(text, character); }

LIBRARY size_t __wrap_strspn(const char *text, const char *set)
{
    size_t length = 0;
    while (text[length] && strchr(set, text[length]))
        length++;
    return length;
}

LIBRARY size_t __wrap_strcspn(const char *text, const char *set)
{
    size_t length = 0;
    while (text[length] && !strchr(set, text[length]))
        length++;
    return length;
}

LIBRARY char *__wrap_strpbrk(const char *text, const char *set)
{
    text += __wrap_strcspn(text, set);
    return *text ? (char *)text : NULL;
}

LIBRARY char *__wrap_strstr(const char *text, const char *what)
{
    size_t length = strlen(what);
    for (;; text++) {
        if (strncmp(text, what, length) == 0)
            return (char *)text;
        if (!*text)
            return NULL;
    }
}

LIBRARY int __wrap_strncasecmp(const char *one, const char *other, size_t most)
{
    for (size_t i = 0; i < most; i++) {
        int a = tolower((unsigned char)one[i]), b = tolower((unsigned char)other[i]);
        if (a != b || a == 0)
            return a - b;
    }
    return 0;
}

LIBRARY int __wrap_strcasecmp(const char *one, const char *other) { return __wrap_strncasecmp(one, other, SIZE_MAX); }

LIBRARY char *__wrap_strcasestr(const char *text, const char *what)
{
    size_t length = strlen(what);
    for (;; text++) {
        if (__wrap_strncasecmp(text, what, length) == 0)
            return (char *)text;
        if (!*text)
            return NULL;
    }
}

LIBRARY char *__wrap_strtok_r(char *text, const char *separators, char **rest)
{
    char *token = text ? text : *rest;
    if (!token)
        return NULL;
    token += __wrap_strspn(token, separators);
    if (!*token) {
        *rest = token;
        return NULL;
    }
    char *end = token + __wrap_strcspn(token, separators);
    if (*end)
        *end++ = 0;
    *rest = end;
    return token;
}

LIBRARY char *__wrap___strtok_r(char *text, const char *separators, char **rest)
{
    return __wrap_strtok_r(text, separators, rest);
}

/* The C library has one for all threads: who calls this in two threads has a data race. */
static char *rest_of_strtok;

LIBRARY char *__wrap_strtok(char *text, const char *separators)
{
    return __wrap_strtok_r(text, separators, &rest_of_strtok);
}

LIBRARY char *__wrap_strsep(char **rest, const char *separators)
{
    char *token = *rest;
    if (!token)
        return NULL;
    char *end = token + __wrap_strcspn(token, separators);
    if (*end)
        *end++ = 0;
    else
        end = NULL;
    *rest = end;
    return token;
}

LIBRARY char *__wrap_stpncpy(char *to, const char *from, size_t size)
{
    size_t length = 0;
    for (; length < size && from[length]; length++)
        to[length] = from[length];
    for (size_t i = length; i < size; i++)
        to[i] = 0;
    return to + length;
}

LIBRARY size_t __wrap_strlcpy(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);
    if (size > 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(to, from, copied);
        to[copied] = 0;
    }
    return length;
}

LIBRARY size_t __wrap_strlcat(char *to, const char *from, size_t size)
{
    size_t length = strnlen(to, size);
    return length == size ? size + strlen(from) : length + __wrap_strlcpy(to + length, from, size - length);
}

/* The locale is that of the C standard. */
LIBRARY int __wrap_strcoll(const char *one, const char *other) { return strcmp(one, other); }

LIBRARY size_t __wrap_strxfrm(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);
    if (length < size)
        memcpy(to, from, length + 1);
    return length;
}

char *__real_strerror(int);

LIBRARY char *__wrap_strerror(int number) { return __real_strerror(number); }

LIBRARY char *__wrap_strerror_r(int number, char *to, size_t size)
{
    __wrap_strlcpy(to, __real_strerror(number), size);
    return to;
}

LIBRARY int __wrap___xpg_strerror_r(int number, char *to, size_t size)
{
    return __wrap_strlcpy(to, __real_strerror(number), size) < size ? 0 : ERANGE;
}

/* Wide characters. */

LIBRARY size_t __wrap_wcslen(const wchar_t *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

LIBRARY wchar_t *__wrap_wmemcpy(wchar_t *to, const wchar_t *from, size_t count)
{
    return memcpy(to, from, count * sizeof *to);
}

LIBRARY wchar_t *__wrap_wmemmove(wchar_t *to, const wchar_t *from, size_t count)
{
    return memmove(to, from, count * sizeof *to);
}

LIBRARY wchar_t *__wrap_wmemset(wchar_t *to, wchar_t character, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = character;
    return to;
}

LIBRARY int __wrap_wmemcmp(const wchar_t *one, const wchar_t *other, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wchar_t a = one[i], b = other[i];
        if (a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

LIBRARY wchar_t *__wrap_wmemchr(const wchar_t *at, wchar_t character, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (at[i] == character)
            return (wchar_t *)at + i;
    return NULL;
}

LIBRARY wchar_t *__wrap_wcscpy(wchar_t *to, const wchar_t *from)
{
    size_t i = 0;
    do
        to[i] = from[i];
    while (from[i++]);
    return to;
}

LIBRARY wchar_t *__wrap_wcscat(wchar_t *to, const wchar_t *from)
{
    __wrap_wcscpy(to + __wrap_wcslen(to), from);
    return to;
}

LIBRARY int __wrap_wcscmp(const wchar_t *one, const wchar_t *other)
{
    for (;; one++, other++) {
        wchar_t a = *one, b = *other;
        if (a != b)
            return a < b ? -1 : 1;
        if (!a)
            return 0;
    }
}

LIBRARY wchar_t *__wrap_wcschr(const wchar_t *text, wchar_t character)
{
    for (;; text++) {
        if (*text == character)
            return (wchar_t *)text;
        if (!*text)
            return NULL;
    }
}
