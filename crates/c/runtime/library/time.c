/* Dates. What the C library keeps in one place for all threads is a variable here, so that threads race for it. */

#include "library.h"
#include <stdio.h>
#include <time.h>

struct tm *__real_localtime_r(const time_t *, struct tm *);
struct tm *__real_gmtime_r(const time_t *, struct tm *);
time_t __real_mktime(struct tm *);
time_t __real_timegm(struct tm *);
size_t __real_strftime(char *, size_t, const char *, const struct tm *);

static struct tm broken_down;
static char text_of_date[64];

static struct tm *fill(struct tm *to, struct tm *(*convert)(const time_t *, struct tm *), const time_t *time)
{
    time_t copy = *time;
    struct tm found;
    if (!convert(&copy, &found))
        return NULL;
    *to = found;
    return to;
}

LIBRARY struct tm *__wrap_localtime_r(const time_t *time, struct tm *to) { return fill(to, __real_localtime_r, time); }
LIBRARY struct tm *__wrap_gmtime_r(const time_t *time, struct tm *to) { return fill(to, __real_gmtime_r, time); }
LIBRARY struct tm *__wrap_localtime(const time_t *time) { return fill(&broken_down, __real_localtime_r, time); }
LIBRARY struct tm *__wrap_gmtime(const time_t *time) { return fill(&broken_down, __real_gmtime_r, time); }

LIBRARY time_t __wrap_mktime(struct tm *date)
{
    struct tm copy = *date;
    time_t time = __real_mktime(&copy);
    *date = copy;
    return time;
}

LIBRARY time_t __wrap_timegm(struct tm *date)
{
    struct tm copy = *date;
    time_t time = __real_timegm(&copy);
    *date = copy;
    return time;
}

LIBRARY size_t __wrap_strftime(char *to, size_t size, const char *format, const struct tm *date)
{
    char text[1024], words[256];
    struct tm copy = *date;
    if (strlen(format) >= sizeof words)
        REFUSE("strftime() with a format of more than 255 characters");
    strcpy(words, format);
    size_t length = __real_strftime(text, size < sizeof text ? size : sizeof text, words, &copy);
    if (length > 0)
        memcpy(to, text, length + 1);
    return length;
}

LIBRARY char *__wrap_asctime_r(const struct tm *date, char *to)
{
    char text[64];
    struct tm copy = *date;
    __real_strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y\n", &copy);
    return strcpy(to, text);
}

LIBRARY char *__wrap_asctime(const struct tm *date) { return __wrap_asctime_r(date, text_of_date); }

LIBRARY char *__wrap_ctime_r(const time_t *time, char *to)
{
    struct tm date;
    return __wrap_localtime_r(time, &date) ? __wrap_asctime_r(&date, to) : NULL;
}

LIBRARY char *__wrap_ctime(const time_t *time)
{
    struct tm *date = __wrap_localtime(time);
    return date ? __wrap_asctime(date) : NULL;
}

/* The virtual clock ticks in nanoseconds. */
LIBRARY int __wrap_clock_getres(clockid_t clock, struct timespec *to)
{
    (void)clock;
    if (to) {
        to->tv_sec = 0;
        to->tv_nsec = 1;
    }
    return 0;
}
