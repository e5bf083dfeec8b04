/* Sorting, searching, numbers in texts, and memory that the C library would hand out. */

#include "library.h"
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* Sorting: a heap sort, in place, so that nothing is allocated. The order of equal elements is not specified. */

typedef int compare_with(const void *, const void *, void *);

static void swap(char *one, char *other, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char byte = one[i];
        one[i] = other[i];
        other[i] = byte;
    }
}

static void sift_down(char *base, size_t root, size_t count, size_t size, compare_with *compare, void *argument)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count && compare(base + child * size, base + (child + 1) * size, argument) < 0)
            child++;
        if (compare(base + root * size, base + child * size, argument) >= 0)
            return;
        swap(base + root * size, base + child * size, size);
        root = child;
    }
}

LIBRARY void __wrap_qsort_r(void *array, size_t count, size_t size, compare_with *compare, void *argument)
{
    char *base = array;
    for (size_t root = count / 2; root-- > 0;)
        sift_down(base, root, count, size, compare, argument);
    for (size_t last = count; last-- > 1;) {
        swap(base, base + last * size, size);
        sift_down(base, 0, last, size, compare, argument);
    }
}

typedef int compare_two(const void *, const void *);

static int without_argument(const void *one, const void *other, void *compare)
{
    return (*(compare_two **)compare)(one, other);
}

LIBRARY void __wrap_qsort(void *array, size_t count, size_t size, compare_two *compare)
{
    __wrap_qsort_r(array, count, size, without_argument, &compare);
}

LIBRARY void *__wrap_bsearch(const void *key, const void *array, size_t count, size_t size, compare_two *compare)
{
    const char *base = array;
    while (count > 0) {
        const char *middle = base + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            base = middle + size;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return NULL;
}

LIBRARY void *__wrap_lfind(const void *key, const void *array, size_t *count, size_t size, compare_two *compare)
{
    const char *base = array;
    for (size_t i = 0; i < *count; i++)
        if (compare(key, base + i * size) == 0)
            return (void *)(base + i * size);
    return NULL;
}

LIBRARY void *__wrap_lsearch(const void *key, void *array, size_t *count, size_t size, compare_two *compare)
{
    void *found = __wrap_lfind(key, array, count, size, compare);
    return found ? found : memcpy((char *)array + (*count)++ * size, key, size);
}

/* Numbers in texts: what can belong to one is copied, and the C library reads the copy. */

enum { LONGEST_NUMBER = 512 };

/* Copies what can belong to a number: until something comes that none has in it. */
static void copy_number(char *to, const char *text)
{
    size_t length = 0;
    for (; length < LONGEST_NUMBER - 1; length++) {
        char c = text[length];
        int may_be_part = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
                          c == '.' || c == '(' || c == ')' || c == '_' || c == ' ' || (c >= '\t' && c <= '\r');
        if (!may_be_part)
            break;
        to[length] = c;
    }
    to[length] = 0;
    if (length == LONGEST_NUMBER - 1)
        REFUSE("a number of more than 511 characters");
}

#define INTEGER(name, type)                                                                                             \
    type __real_##name(const char *, char **, int);                                                                     \
    LIBRARY type __wrap_##name(const char *text, char **end, int base)                                                  \
    {                                                                                                                   \
        char copy[LONGEST_NUMBER], *end_of_copy;                                                                        \
        copy_number(copy, text);                                                                                        \
        type number = __real_##name(copy, &end_of_copy, base);                                                          \
        if (end)                                                                                                        \
            *end = (char *)text + (end_of_copy - copy);                                                                 \
        return number;                                                                                                  \
    }

INTEGER(strtol, long)
INTEGER(strtoll, long long)
INTEGER(strtoul, unsigned long)
INTEGER(strtoull, unsigned long long)
INTEGER(strtoimax, intmax_t)
INTEGER(strtoumax, uintmax_t)

#define FLOATING(name, type)                                                                                            \
    type __real_##name(const char *, char **);                                                                          \
    LIBRARY type __wrap_##name(const char *text, char **end)                                                            \
    {                                                                                                                   \
        char copy[LONGEST_NUMBER], *end_of_copy;                                                                        \
        copy_number(copy, text);                                                                                        \
        type number = __real_##name(copy, &end_of_copy);                                                                \
        if (end)                                                                                                        \
            *end = (char *)text + (end_of_copy - copy);                                                                 \
        return number;                                                                                                  \
    }

FLOATING(strtod, double)
FLOATING(strtof, float)
FLOATING(strtold, long double)

LIBRARY int __wrap_atoi(const char *text) { return (int)__wrap_strtol(text, NULL, 10); }
LIBRARY long __wrap_atol(const char *text) { return __wrap_strtol(text, NULL, 10); }
LIBRARY long long __wrap_atoll(const char *text) { return __wrap_strtoll(text, NULL, 10); }
LIBRARY double __wrap_atof(const char *text) { return __wrap_strtod(text, NULL); }

/* Memory. */

LIBRARY void *__wrap_reallocarray(void *block, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, count * size);
}

LIBRARY void *__wrap_valloc(size_t size) { return aligned_alloc(4096, size); }
LIBRARY void *__wrap_pvalloc(size_t size) { return aligned_alloc(4096, (size + 4095) / 4096 * 4096); }

/* Paths. */

static char *hand_out(const char *found, char *to)
{
    if (!to)
        return strdup(found);
    return strcpy(to, found);
}

static int copy_path(char *to, const char *path)
{
    size_t length = 0;
    for (; length < PATH_MAX; length++)
        if (!(to[length] = path[length]))
            return 0;
    errno = ENAMETOOLONG;
    return -1;
}

char *__real_realpath(const char *, char *);

LIBRARY char *__wrap_realpath(const char *path, char *to)
{
    char copy[PATH_MAX], found[PATH_MAX];
    if (!path) {
        errno = EINVAL;
        return NULL;
    }
    if (copy_path(copy, path) < 0 || !__real_realpath(copy, found))
        return NULL;
    return hand_out(found, to);
}

char *__real_getcwd(char *, size_t);

LIBRARY char *__wrap_getcwd(char *to, size_t size)
{
    char found[PATH_MAX];
    if (!__real_getcwd(found, sizeof found))
        return NULL;
    if (!to && size == 0)
        return strdup(found);
    if (strlen(found) >= size) {
        errno = size ? ERANGE : EINVAL;
        return NULL;
    }
    return to ? strcpy(to, found) : strcpy(malloc(size), found);
}

LIBRARY char *__wrap_get_current_dir_name(void) { return __wrap_getcwd(NULL, 0); }

int __real_access(const char *, int);

LIBRARY int __wrap_access(const char *path, int mode)
{
    char copy[PATH_MAX];
    return copy_path(copy, path) < 0 ? -1 : __real_access(copy, mode);
}

int __real_gethostname(char *, size_t);

LIBRARY int __wrap_gethostname(char *to, size_t size)
{
    char found[256];
    if (__real_gethostname(found, sizeof found) < 0)
        return -1;
    if (strlen(found) >= size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(to, found);
    return 0;
}

/* Parts of numbers. */

#define PARTS(suffix, type)                                                                                             \
    type __real_frexp##suffix(type, int *);                                                                             \
    type __real_modf##suffix(type, type *);                                                                             \
    type __real_remquo##suffix(type, type, int *);                                                                      \
    void __real_sincos##suffix(type, type *, type *);                                                                   \
    LIBRARY type __wrap_frexp##suffix(type number, int *to)                                                             \
    {                                                                                                                   \
        int exponent;                                                                                                   \
        type answer = __real_frexp##suffix(number, &exponent);                                                          \
        *to = exponent;                                                                                                 \
        return answer;                                                                                                  \
    }                                                                                                                   \
    LIBRARY type __wrap_modf##suffix(type number, type *to)                                                             \
    {                                                                                                                   \
        type whole;                                                                                                     \
        type answer = __real_modf##suffix(number, &whole);                                                              \
        *to = whole;                                                                                                    \
        return answer;                                                                                                  \
    }                                                                                                                   \
    LIBRARY type __wrap_remquo##suffix(type number, type by, int *to)                                                   \
    {                                                                                                                   \
        int quotient;                                                                                                   \
        type answer = __real_remquo##suffix(number, by, &quotient);                                                     \
        *to = quotient;                                                                                                 \
        return answer;                                                                                                  \
    }                                                                                                                   \
    LIBRARY void __wrap_sincos##suffix(type number, type *to_sine, type *to_cosine)                                     \
    {                                                                                                                   \
        type sine, cosine;                                                                                              \
        __real_sincos##suffix(number, &sine, &cosine);                                                                  \
        *to_sine = sine;                                                                                                \
        *to_cosine = cosine;                                                                                            \
    }

PARTS(, double)
PARTS(f, float)
PARTS(l, long double)

/* The quick end of the program: what it wanted to be called then, the last one first. */

static pthread_mutex_t ends = PTHREAD_MUTEX_INITIALIZER;
static void (*at_quick_end[32])(void);
static int quick_ends;

LIBRARY int __wrap_at_quick_exit(void (*function)(void))
{
    pthread_mutex_lock(&ends);
    int is_full = quick_ends == sizeof at_quick_end / sizeof *at_quick_end;
    if (!is_full)
        at_quick_end[quick_ends++] = function;
    pthread_mutex_unlock(&ends);
    return is_full;
}

LIBRARY void __wrap_quick_exit(int status)
{
    for (;;) {
        pthread_mutex_lock(&ends);
        void (*last)(void) = quick_ends ? at_quick_end[--quick_ends] : NULL;
        pthread_mutex_unlock(&ends);
        if (!last)
            _Exit(status);
        last();
    }
}
