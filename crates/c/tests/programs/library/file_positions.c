// Two threads read a byte each of one file. Every execution begins at its start, with the same number, and stdin not yet at its end.
// expect: ok
// classes: 2 (who reads first)
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *file;
static int found[2];

static void *thread(void *place)
{
    *(int *)place = fgetc(file);
    return NULL;
}

/* The file begins with the two bytes of a comment, and with "Two threads". */
static void look_at_stream(void)
{
    char text[8];
    char *line = NULL;
    size_t size = 0;
    assert(ftell(file) == 2 && !feof(file));
    assert(fgets(text, 5, file) && strcmp(text, " Two") == 0);
    assert(ungetc('x', file) == 'x' && ftell(file) == 5 && fgetc(file) == 'x' && fgetc(file) == ' ');
    assert(getline(&line, &size, file) > 20 && strncmp(line, "threads", 7) == 0);
    free(line);
    assert(fseek(file, 0, SEEK_END) == 0 && fgetc(file) == EOF && feof(file));
    rewind(file);
    assert(!feof(file) && fread(text, 1, 4, file) == 4 && memcmp(text, "// T", 4) == 0);
    assert(fputc('x', file) == EOF);
    flockfile(file);
    assert(getc_unlocked(file) == 'w');
    funlockfile(file);
}

static void look_at_number(void)
{
    char text[4];
    struct stat status;
    int number = open(__FILE__, O_RDONLY);
    assert(number == STDERR_FILENO + 2);
    assert(read(number, text, 3) == 3 && memcmp(text, "// ", 3) == 0 && lseek(number, 0, SEEK_CUR) == 3);
    assert(pread(number, text, 3, 3) == 3 && memcmp(text, "Two", 3) == 0);
    assert(fstat(number, &status) == 0 && status.st_size > 1000 && !isatty(number));
    assert(close(number) == 0 && close(number) == -1 && errno == EBADF);
    assert(open("no such file", O_RDONLY) == -1 && errno == ENOENT && !fopen("no such file", "r"));
}

int main(void)
{
    pthread_t a, b;
    file = fopen(__FILE__, "r");
    assert(file && fileno(file) == STDERR_FILENO + 1 && !feof(stdin));
    pthread_create(&a, NULL, thread, &found[0]);
    pthread_create(&b, NULL, thread, &found[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(found[0] == '/' && found[1] == '/');
    look_at_stream();
    look_at_number();
    fclose(file);
    assert(getchar() == EOF && feof(stdin));
    return 0;
}
