/* Options of the program, its locale and its process. The C library keeps what it knows of them from execution to execution;
 * here it is in variables of the program. */

#include "library.h"
#include <getopt.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* In place of the C library's variables. */
__attribute__((weak)) char *optarg;
__attribute__((weak)) int optind = 1, opterr = 1, optopt = 63;

/* Where in an argument with several options the next one is. */
static int position;

static int complain(const char *program, const char *what, const char *option, int answer)
{
    if (opterr)
        fprintf(stderr, "%s: %s -- '%s'\n", program, what, option);
    return answer;
}

/* Moves the next option, and what belongs to it, in front of arguments that are none. */
static void move_to_front(char **arguments, int from, int to, int count)
{
    for (int i = 0; i < count; i++) {
        char *moved = arguments[from + i];
        for (int at = from + i; at > to + i; at--)
            arguments[at] = arguments[at - 1];
        arguments[to + i] = moved;
    }
}

static int is_option(const char *argument) { return argument[0] == '-' && argument[1] != 0; }

static int short_option(int count, char **arguments, const char *letters, int silent)
{
    char *argument = arguments[optind];
    char letter[2] = {argument[position], 0};
    const char *known = letter[0] == ':' ? NULL : strchr(letters, letter[0]);
    optopt = (unsigned char)letter[0];
    position++;
    int is_last = argument[position] == 0;
    if (!known || letter[0] == ';') {
        if (is_last)
            optind++, position = 0;
        return silent ? '?' : complain(arguments[0], "invalid option", letter, '?');
    }
    if (known[1] != ':') {
        if (is_last)
            optind++, position = 0;
        return optopt;
    }
    if (!is_last)
        optarg = argument + position;
    else if (known[2] == ':')
        optarg = NULL;
    else if (optind + 1 < count)
        optarg = arguments[++optind];
    else {
        optind++, position = 0;
        return silent ? ':' : complain(arguments[0], "option requires an argument", letter, '?');
    }
    optind++, position = 0;
    return optopt;
}

static int long_option(int count, char **arguments, const struct option *options, int *index, int silent, char *name)
{
    char *value = strchr(name, '=');
    size_t length = value ? (size_t)(value - name) : strlen(name);
    int found = -1, matches = 0;
    for (int i = 0; options[i].name; i++) {
        if (strncmp(options[i].name, name, length) != 0)
            continue;
        found = i;
        matches++;
        if (strlen(options[i].name) == length) {
            matches = 1;
            break;
        }
    }
    optind++;
    position = 0;
    optopt = 0;
    if (matches != 1)
        return silent ? '?' : complain(arguments[0], matches ? "ambiguous option" : "unrecognized option", name, '?');
    const struct option *option = &options[found];
    optarg = value ? value + 1 : NULL;
    if (value && option->has_arg == no_argument)
        return silent ? '?' : complain(arguments[0], "option does not allow an argument", name, '?');
    if (!value && option->has_arg == required_argument) {
        if (optind >= count) {
            optopt = option->val;
            return silent ? ':' : complain(arguments[0], "option requires an argument", name, '?');
        }
        optarg = arguments[optind++];
    }
    if (index)
        *index = found;
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}

static int next_option(int count, char **arguments, const char *letters, const struct option *options, int *index, int by_one)
{
    int keeps_order = *letters == '+' || getenv("POSIXLY_CORRECT");
    int returns_all = *letters == '-';
    if (*letters == '+' || *letters == '-')
        letters++;
    int silent = *letters == ':';
    if (optind == 0)
        optind = 1, position = 0;
    optarg = NULL;
    if (position == 0) {
        int first = optind;
        if (optind < count && !is_option(arguments[optind]) && returns_all) {
            optarg = arguments[optind++];
            return 1;
        }
        while (!keeps_order && optind < count && !is_option(arguments[optind]))
            optind++;
        if (optind >= count) {
            optind = first;
            return -1;
        }
        if (!is_option(arguments[optind]))
            return -1;
        if (optind > first) {
            /* The option comes before the arguments that were passed over, with its own argument if that is the next one. */
            int at = optind;
            optind = first;
            int is_long = arguments[at][1] == '-', taken = 1;
            if (strcmp(arguments[at], "--") != 0 && at + 1 < count) {
                for (const char *next = arguments[at] + 1; !is_long && *next; next++) {
                    const char *letter = strchr(letters, *next);
                    if (letter && letter[1] == ':') {
                        /* The rest of the word is its argument, or else the next word is. */
                        taken += letter[2] != ':' && !next[1];
                        break;
                    }
                }
                for (int i = 0; is_long && options && options[i].name; i++)
                    if (options[i].has_arg == required_argument && strcmp(options[i].name, arguments[at] + 2) == 0)
                        taken = 2;
            }
            move_to_front(arguments, at, first, taken);
        }
        if (strcmp(arguments[optind], "--") == 0) {
            optind++;
            return -1;
        }
        if (options && arguments[optind][1] == '-')
            return long_option(count, arguments, options, index, silent, arguments[optind] + 2);
        if (options && by_one && (arguments[optind][2] || !strchr(letters, arguments[optind][1])))
            return long_option(count, arguments, options, index, silent, arguments[optind] + 1);
        position = 1;
    }
    return short_option(count, arguments, letters, silent);
}

LIBRARY int __wrap_getopt(int count, char *const *arguments, const char *letters)
{
    return next_option(count, (char **)arguments, letters, NULL, NULL, 0);
}

LIBRARY int __wrap_getopt_long(int count, char *const *arguments, const char *letters, const struct option *options, int *index)
{
    return next_option(count, (char **)arguments, letters, options, index, 0);
}

LIBRARY int __wrap_getopt_long_only(int count, char *const *arguments, const char *letters, const struct option *options,
                                    int *index)
{
    return next_option(count, (char **)arguments, letters, options, index, 1);
}

/* There is the locale of the C standard alone. */
LIBRARY char *__wrap_setlocale(int category, const char *name)
{
    (void)category;
    int is_known = !name || !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
    return is_known ? (char *)"C" : NULL;
}

/* The process is the same one in every execution, whichever explores it. */
LIBRARY pid_t __wrap_getpid(void) { return 4242; }
LIBRARY pid_t __wrap_getppid(void) { return 4241; }

/* All threads are one thread of the system, on whatever processor. Here, each has a number of its own, and main the process's. */
LIBRARY pid_t __wrap_gettid(void) { return 4241 + (pid_t)pthread_self(); }
LIBRARY int __wrap_sched_getcpu(void) { return 0; }

/* The environment does not change: nobody can set it here. */

char *__real_getenv(const char *);

LIBRARY char *__wrap_getenv(const char *name)
{
    char copy[256];
    size_t length = 0;
    while (length < sizeof copy && (copy[length] = name[length]))
        length++;
    return length == sizeof copy ? NULL : __real_getenv(copy);
}

LIBRARY char *__wrap_secure_getenv(const char *name) { return __wrap_getenv(name); }
