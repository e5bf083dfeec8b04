/* Streams that read files: see files.c. */

#include "files.h"

static FILE *open_stream(const char *path, const char *mode, void *caller)
{
    if (strchr(mode, 'w') || strchr(mode, 'a') || strchr(mode, '+'))
        mazurka_refuse("fopen() of a file for writing", caller);
    return (FILE *)mazurka_enter(mazurka_open_real(AT_FDCWD, path, O_RDONLY), caller);
}

LIBRARY FILE *__wrap_fopen(const char *path, const char *mode)
{
    return open_stream(path, mode, __builtin_return_address(0));
}

LIBRARY FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return open_stream(path, mode, __builtin_return_address(0));
}

LIBRARY int __wrap_fclose(FILE *stream) { return mazurka_standard_number(stream) >= 0 ? 0 : mazurka_leave((struct file *)stream); }

LIBRARY int __wrap_fseek(FILE *stream, long by, int from) { return mazurka_seek(mazurka_file_of_stream(stream), by, from) < 0 ? -1 : 0; }
LIBRARY int __wrap_fseeko(FILE *stream, off_t by, int from) { return __wrap_fseek(stream, by, from); }

LIBRARY long __wrap_ftell(FILE *stream)
{
    struct file *file = mazurka_file_of_stream(stream);
    pthread_mutex_lock(&file->lock);
    long at = mazurka_moved(file, 0, SEEK_CUR);
    pthread_mutex_unlock(&file->lock);
    return at;
}

LIBRARY off_t __wrap_ftello(FILE *stream) { return __wrap_ftell(stream); }

LIBRARY void __wrap_clearerr(FILE *stream)
{
    struct file *file = mazurka_file_of_stream(stream);
    pthread_mutex_lock(&file->lock);
    file->flags &= ~(AT_END | FAILED);
    pthread_mutex_unlock(&file->lock);
}

LIBRARY void __wrap_rewind(FILE *stream)
{
    __wrap_fseek(stream, 0, SEEK_SET);
    __wrap_clearerr(stream);
}

/* The next byte of a stream, by whom holds its lock. */
static int next(struct file *file)
{
    int pushed = file->pushed;
    file->pushed = NONE_PUSHED;
    if (pushed != NONE_PUSHED) {
        file->position++;
        return pushed;
    }
    char byte;
    if (mazurka_take(file, &byte, 1, file->position) == 0) {
        file->flags |= AT_END;
        return EOF;
    }
    file->position++;
    return (unsigned char)byte;
}

LIBRARY int __wrap_fgetc(FILE *stream)
{
    struct file *file = mazurka_file_of_stream(stream);
    pthread_mutex_lock(&file->lock);
    int byte = next(file);
    pthread_mutex_unlock(&file->lock);
    return byte;
}

LIBRARY int __wrap_getc(FILE *stream) { return __wrap_fgetc(stream); }
LIBRARY int __wrap_getchar(void) { return __wrap_fgetc(stdin); }
LIBRARY int __wrap_getc_unlocked(FILE *stream) { return next(mazurka_file_of_stream(stream)); }
LIBRARY int __wrap_getchar_unlocked(void) { return next(mazurka_file_of_stream(stdin)); }
LIBRARY int __wrap___uflow(FILE *stream) { return next(mazurka_file_of_stream(stream)); }

LIBRARY int __wrap_ungetc(int byte, FILE *stream)
{
    struct file *file = mazurka_file_of_stream(stream);
    if (byte == EOF)
        return EOF;
    pthread_mutex_lock(&file->lock);
    int fits = file->pushed == NONE_PUSHED && file->position > 0;
    if (fits) {
        file->pushed = (unsigned char)byte;
        file->position--;
        file->flags &= ~AT_END;
    }
    pthread_mutex_unlock(&file->lock);
    return fits ? (unsigned char)byte : EOF;
}

LIBRARY char *__wrap_fgets(char *to, int size, FILE *stream)
{
    struct file *file = mazurka_file_of_stream(stream);
    int length = 0, byte = 0;
    pthread_mutex_lock(&file->lock);
    while (length + 1 < size && byte != '\n' && (byte = next(file)) != EOF)
        to[length++] = (char)byte;
    if (length > 0)
        to[length] = 0;
    pthread_mutex_unlock(&file->lock);
    return length > 0 ? to : NULL;
}

LIBRARY size_t __wrap_fread(void *to, size_t size, size_t count, FILE *stream)
{
    struct file *file = mazurka_file_of_stream(stream);
    char *bytes = to;
    size_t taken = 0;
    pthread_mutex_lock(&file->lock);
    for (int byte; taken < size * count && (byte = next(file)) != EOF; taken++)
        bytes[taken] = (char)byte;
    pthread_mutex_unlock(&file->lock);
    return size ? taken / size : 0;
}

/* Room for one byte more than `length` and the zero behind it; none if there is no memory. */
static char *grown(char **line, size_t *size, size_t length)
{
    if (*line && length + 2 <= *size)
        return *line;
    size_t room = *line && *size ? *size * 2 : 120;
    char *block = realloc(*line, room);
    if (block) {
        *line = block;
        *size = room;
    }
    return block;
}

LIBRARY ssize_t __wrap_getdelim(char **line, size_t *size, int last, FILE *stream)
{
    struct file *file = mazurka_file_of_stream(stream);
    size_t length = 0;
    int has_room = 1;
    pthread_mutex_lock(&file->lock);
    for (int byte = last + 1; has_room && byte != last && (byte = next(file)) != EOF;) {
        has_room = grown(line, size, length) != NULL;
        if (has_room)
            (*line)[length++] = (char)byte;
    }
    if (length > 0)
        (*line)[length] = 0;
    pthread_mutex_unlock(&file->lock);
    return has_room && length > 0 ? (ssize_t)length : -1;
}

LIBRARY ssize_t __wrap___getdelim(char **line, size_t *size, int last, FILE *stream)
{
    return __wrap_getdelim(line, size, last, stream);
}

LIBRARY ssize_t __wrap_getline(char **line, size_t *size, FILE *stream)
{
    return __wrap_getdelim(line, size, '\n', stream);
}

static int has_flag(FILE *stream, int flag)
{
    struct file *file = mazurka_file_of_stream(stream);
    pthread_mutex_lock(&file->lock);
    int flags = file->flags;
    pthread_mutex_unlock(&file->lock);
    return (flags & flag) != 0;
}

LIBRARY int __wrap_feof(FILE *stream) { return has_flag(stream, AT_END); }
LIBRARY int __wrap_ferror(FILE *stream) { return has_flag(stream, FAILED); }
LIBRARY int __wrap_feof_unlocked(FILE *stream) { return (mazurka_file_of_stream(stream)->flags & AT_END) != 0; }
LIBRARY int __wrap_ferror_unlocked(FILE *stream) { return (mazurka_file_of_stream(stream)->flags & FAILED) != 0; }
LIBRARY int __wrap_fileno(FILE *stream) { return mazurka_number_of(mazurka_file_of_stream(stream)); }
LIBRARY int __wrap_fileno_unlocked(FILE *stream) { return mazurka_number_of(mazurka_file_of_stream(stream)); }

LIBRARY void __wrap_flockfile(FILE *stream) { pthread_mutex_lock(&mazurka_file_of_stream(stream)->lock); }
LIBRARY void __wrap_funlockfile(FILE *stream) { pthread_mutex_unlock(&mazurka_file_of_stream(stream)->lock); }
LIBRARY int __wrap_ftrylockfile(FILE *stream) { return pthread_mutex_trylock(&mazurka_file_of_stream(stream)->lock); }
