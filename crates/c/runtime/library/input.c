/* Input, and what the system says of files: the C library fills memory that one thread alone has, which is copied then. */

#include "library.h"
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_fgetc(FILE *);
ssize_t __real_read(int, void *, size_t);
ssize_t __real_pread(int, void *, size_t, off_t);
int __real_stat(const char *, struct stat *);
int __real_lstat(const char *, struct stat *);
int __real_fstat(int, struct stat *);

LIBRARY int __wrap_fgetc(FILE *file) { return __real_fgetc(file); }
LIBRARY int __wrap_getc(FILE *file) { return __real_fgetc(file); }
LIBRARY int __wrap_getchar(void) { return __real_fgetc(stdin); }
LIBRARY int __wrap_getc_unlocked(FILE *file) { return __real_fgetc(file); }
LIBRARY int __wrap_getchar_unlocked(void) { return __real_fgetc(stdin); }

LIBRARY char *__wrap_fgets(char *to, int size, FILE *file)
{
    int length = 0, character = 0;
    while (length + 1 < size && character != '\n' && (character = __real_fgetc(file)) != EOF)
        to[length++] = (char)character;
    if (length == 0)
        return NULL;
    to[length] = 0;
    return to;
}

LIBRARY size_t __wrap_fread(void *to, size_t size, size_t count, FILE *file)
{
    char *bytes = to;
    size_t taken = 0;
    for (int character; taken < size * count && (character = __real_fgetc(file)) != EOF; taken++)
        bytes[taken] = (char)character;
    return size ? taken / size : 0;
}

LIBRARY ssize_t __wrap_getdelim(char **line, size_t *size, int last, FILE *file)
{
    size_t length = 0;
    for (int character = last + 1; character != last && (character = __real_fgetc(file)) != EOF;) {
        if (!*line || length + 2 > *size) {
            size_t grown = *line && *size ? *size * 2 : 120;
            char *block = realloc(*line, grown);
            if (!block)
                return -1;
            *line = block;
            *size = grown;
        }
        (*line)[length++] = (char)character;
    }
    if (length == 0)
        return -1;
    (*line)[length] = 0;
    return (ssize_t)length;
}

LIBRARY ssize_t __wrap___getdelim(char **line, size_t *size, int last, FILE *file)
{
    return __wrap_getdelim(line, size, last, file);
}

LIBRARY ssize_t __wrap_getline(char **line, size_t *size, FILE *file) { return __wrap_getdelim(line, size, '\n', file); }

enum { MOST_AT_ONCE = 4096 };

LIBRARY ssize_t __wrap_read(int number, void *to, size_t size)
{
    char found[MOST_AT_ONCE];
    ssize_t length = __real_read(number, found, size < MOST_AT_ONCE ? size : MOST_AT_ONCE);
    if (length > 0)
        memcpy(to, found, (size_t)length);
    return length;
}

LIBRARY ssize_t __wrap_pread(int number, void *to, size_t size, off_t from)
{
    char found[MOST_AT_ONCE];
    ssize_t length = __real_pread(number, found, size < MOST_AT_ONCE ? size : MOST_AT_ONCE, from);
    if (length > 0)
        memcpy(to, found, (size_t)length);
    return length;
}

typedef int look_at(const char *, struct stat *);

static int look(look_at *look_at, const char *path, struct stat *to)
{
    char copy[PATH_MAX];
    struct stat found;
    size_t length = 0;
    while (length < PATH_MAX && (copy[length] = path[length]))
        length++;
    if (length == PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int result = look_at(copy, &found);
    if (result == 0)
        *to = found;
    return result;
}

LIBRARY int __wrap_stat(const char *path, struct stat *to) { return look(__real_stat, path, to); }
LIBRARY int __wrap_lstat(const char *path, struct stat *to) { return look(__real_lstat, path, to); }

LIBRARY int __wrap_fstat(int number, struct stat *to)
{
    struct stat found;
    int result = __real_fstat(number, &found);
    if (result == 0)
        *to = found;
    return result;
}
