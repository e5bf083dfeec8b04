// Functions of the C library that are compiled with the program give the answers that the C standard asks for.
// expect: ok
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <getopt.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void strings(void)
{
    char text[64] = "one, two,,three", *rest, *p = text;
    assert(strcmp(strtok_r(text, ", ", &rest), "one") == 0 && strcmp(strtok_r(NULL, ", ", &rest), "two") == 0);
    assert(strcmp(strtok_r(NULL, ", ", &rest), "three") == 0 && !strtok_r(NULL, ", ", &rest));
    strcpy(text, "a:b");
    assert(strcmp(strsep(&p, ":"), "a") == 0 && strcmp(strsep(&p, ":"), "b") == 0 && !p);
    assert(strcmp(strrchr("abcabc", 'b'), "bc") == 0 && strcmp(strstr("abcabd", "abd"), "abd") == 0 && !strstr("abc", "x"));
    assert(strspn("aab", "a") == 2 && strcspn("aab", "b") == 2 && *strpbrk("abc", "cb") == 'b');
    assert(strcasecmp("AbC", "aBc") == 0 && strncasecmp("abX", "ABy", 2) == 0 && strcasecmp("a", "b") < 0);
    assert((char *)mempcpy(text, "xyz", 3) == text + 3 && memrchr("abca", 'a', 4) && !memrchr("abc", 'x', 3));
    assert(isalpha('a') && !isalpha('1') && toupper('a') == 'A');
}

static void numbers(void)
{
    char *end;
    const char *text = " -12x";
    assert(strtol(text, &end, 10) == -12 && *end == 'x' && strtoul("0x1F", NULL, 0) == 31 && atoi("7 ") == 7);
    text = "1.5e2,";
    assert(strtod(text, &end) == 150.0 && *end == ',' && atof("0.25") == 0.25);
    int values[] = {5, 3, 9, 1, 3}, key = 9;
    qsort(values, 5, sizeof *values, by_value);
    for (int i = 1; i < 5; i++)
        assert(values[i - 1] <= values[i]);
    assert(*(int *)bsearch(&key, values, 5, sizeof *values, by_value) == 9);
    double whole;
    assert(modf(2.5, &whole) == 0.5 && whole == 2.0 && sqrt(9.0) == 3.0);
}

static void formats(void)
{
    char text[128];
    assert(snprintf(text, sizeof text, "%d|%5s|%-4s|%.2s|%c|%05.1f|%lx|%zu|%%|%p", -3, "ab", "cd", "xyz", 'q', 2.25, 255L,
                    (size_t)7, (void *)0) == 37);
    assert(strcmp(text, "-3|   ab|cd  |xy|q|002.2|ff|7|%|(nil)") == 0);
    assert(snprintf(text, 4, "%s", "abcdef") == 6 && strcmp(text, "abc") == 0);
    assert(snprintf(text, sizeof text, "%*d|%-*d|%.*s", 4, 1, 3, 2, 1, "zz") == 10 && strcmp(text, "   1|2  |z") == 0);
    char *made;
    assert(asprintf(&made, "%s-%s", "a", "b") == 3 && strcmp(made, "a-b") == 0);
    free(made);
    int a, taken;
    unsigned b;
    float c;
    char word[16], set[16], letter;
    assert(sscanf("12 0x1f 2.5 word abc; z", "%d %x %f %15s %15[a-c]; %c%n", &a, &b, &c, word, set, &letter, &taken) == 6);
    assert(a == 12 && b == 31 && c == 2.5f && strcmp(word, "word") == 0 && strcmp(set, "abc") == 0 && letter == 'z' && taken == 23);
    assert(sscanf("x", "%d", &a) == 0 && sscanf("", "%d", &a) == -1 && sscanf("5,6", "%*d,%d", &a) == 1 && a == 6);
}

static void options(void)
{
    char program[] = "p", first[] = "-ab", value[] = "5", other[] = "file", last[] = "--long=7";
    char *arguments[] = {program, other, first, value, last, NULL};
    struct option known[] = {{"long", required_argument, NULL, 'l'}, {0}};
    assert(getopt_long(5, arguments, "ab:", known, NULL) == 'a');
    assert(getopt_long(5, arguments, "ab:", known, NULL) == 'b' && strcmp(optarg, "5") == 0);
    assert(getopt_long(5, arguments, "ab:", known, NULL) == 'l' && strcmp(optarg, "7") == 0);
    assert(getopt_long(5, arguments, "ab:", known, NULL) == -1);
    assert(optind == 4 && strcmp(arguments[4], "file") == 0);
}

int main(void)
{
    strings();
    numbers();
    formats();
    options();
    time_t day = 86400;
    struct tm *date = gmtime(&day);
    assert(date->tm_year == 70 && date->tm_mon == 0 && date->tm_mday == 2);
    char text[32];
    assert(strftime(text, sizeof text, "%Y-%m-%d", date) == 10 && strcmp(text, "1970-01-02") == 0);
    assert(setlocale(LC_ALL, "") && !setlocale(LC_ALL, "xx_YY"));
    return 0;
}
