/* Files, which can only be read. What is in a file is read when it is opened, in every execution anew; where a thread is in it,
 * whether it met the end and which numbers files have are variables of the program, so that every execution begins with the
 * same. Streams and numbers are locked as the C library and the system lock them. */

#include "library.h"
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_openat(int, const char *, int, ...);
ssize_t __real_read(int, void *, size_t);
int __real_close(int);
int __real_stat(const char *, struct stat *);
int __real_lstat(const char *, struct stat *);
int __real_fstat(int, struct stat *);

enum { MOST_FILES = 64, MOST_BYTES = 64 << 20, PIECE = 4096, NONE_PUSHED = -1 };

/* As the C library has them in the first word of a stream, where its inline functions look at them. */
enum { AT_END = 0x10, FAILED = 0x20 };

/* What is in a file. */
struct contents {
    struct stat status;
    size_t size;
    char bytes[];
};

/* An open file, by its number; for a stream, this is what it points to. */
struct file {
    int flags;
    int is_open;
    /* Where the C library has what it has read: its inline functions find nothing there, and call __uflow. */
    char *read_from, *read_to;
    pthread_mutex_t lock;
    struct contents *contents;
    size_t position;
    /* What was pushed back, if anything was. */
    int pushed;
};

/* All files. They are made when the first one is needed. */
static struct file *files;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

/* The files, by whom holds the table's lock. The first three are empty. */
static struct file *all_files(void)
{
    if (files)
        return files;
    files = calloc(MOST_FILES, sizeof *files);
    if (!files)
        abort();
    for (int i = 0; i < MOST_FILES; i++) {
        files[i].lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
        files[i].pushed = NONE_PUSHED;
        files[i].is_open = i <= STDERR_FILENO;
    }
    return files;
}

static int standard_number(FILE *stream)
{
    return stream == stdin ? STDIN_FILENO : stream == stdout ? STDOUT_FILENO : stream == stderr ? STDERR_FILENO : -1;
}

/* The file of a number; none if there is none. */
static struct file *file_of(int number)
{
    pthread_mutex_lock(&table);
    struct file *file = all_files() + number;
    int is_open = number >= 0 && number < MOST_FILES && file->is_open;
    pthread_mutex_unlock(&table);
    if (!is_open)
        errno = EBADF;
    return is_open ? file : NULL;
}

static struct file *file_of_stream(FILE *stream)
{
    int number = standard_number(stream);
    return number < 0 ? (struct file *)stream : file_of(number);
}

/* What is in a file that the system has opened, and closes here. */
static struct contents *read_all(int real, void *caller)
{
    struct stat status;
    if (__real_fstat(real, &status) != 0)
        return NULL;
    int is_null = S_ISCHR(status.st_mode) && status.st_rdev == 0x103;
    if (!S_ISREG(status.st_mode) && !is_null)
        mazurka_refuse("to read a file that is no regular one: what it gives may differ from execution to execution", caller);
    size_t room = sizeof(struct contents) + PIECE, size = 0;
    struct contents *contents = malloc(room);
    for (;;) {
        char piece[PIECE];
        ssize_t length = is_null ? 0 : __real_read(real, piece, sizeof piece);
        if (!contents || length <= 0)
            break;
        if (size + (size_t)length > MOST_BYTES)
            mazurka_refuse("to read a file of more than 64 MiB: every execution reads it", caller);
        if (sizeof *contents + size + (size_t)length > room) {
            room *= 2;
            struct contents *grown = realloc(contents, room);
            if (!grown)
                free(contents);
            contents = grown;
        }
        if (contents)
            memcpy(contents->bytes + size, piece, (size_t)length);
        size += (size_t)length;
    }
    __real_close(real);
    if (contents) {
        contents->size = size;
        contents->status = status;
    }
    return contents;
}

/* A file that the system has opened, for whom it was called, gets the least number that is free. */
static struct file *enter(int real, void *caller)
{
    struct contents *contents = real < 0 ? NULL : read_all(real, caller);
    if (!contents)
        return NULL;
    struct file *found = NULL;
    pthread_mutex_lock(&table);
    struct file *all = all_files();
    for (int i = 0; i < MOST_FILES && !found; i++)
        if (!all[i].is_open)
            found = &all[i];
    if (found) {
        found->contents = contents;
        found->position = 0;
        found->pushed = NONE_PUSHED;
        found->flags = 0;
        found->is_open = 1;
    }
    pthread_mutex_unlock(&table);
    if (!found) {
        free(contents);
        errno = EMFILE;
    }
    return found;
}

static int number_of(struct file *file)
{
    pthread_mutex_lock(&table);
    int number = file ? (int)(file - all_files()) : -1;
    pthread_mutex_unlock(&table);
    return number;
}

/* A path of the program, where one thread alone has it. */
static const char *copied(const char *path, char *copy)
{
    size_t length = 0;
    while (length < PATH_MAX && (copy[length] = path[length]))
        length++;
    if (length < PATH_MAX)
        return copy;
    errno = ENAMETOOLONG;
    return NULL;
}

static int is_for_writing(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)); }

static int open_real(int folder, const char *path, int flags)
{
    char copy[PATH_MAX];
    return copied(path, copy) ? __real_openat(folder, copy, flags | O_CLOEXEC | O_NONBLOCK) : -1;
}

static int open_by_number(int folder, const char *path, int flags, void *caller)
{
    if (is_for_writing(flags))
        mazurka_refuse("open() of a file for writing", caller);
    return number_of(enter(open_real(folder, path, flags), caller));
}

LIBRARY int __wrap_open(const char *path, int flags, ...)
{
    return open_by_number(AT_FDCWD, path, flags, __builtin_return_address(0));
}

LIBRARY int __wrap_open64(const char *path, int flags, ...)
{
    return open_by_number(AT_FDCWD, path, flags, __builtin_return_address(0));
}

LIBRARY int __wrap_openat(int folder, const char *path, int flags, ...)
{
    if (folder != AT_FDCWD && path[0] != '/')
        REFUSE("openat() with another folder than the current one: it is not known which one it is");
    return open_by_number(AT_FDCWD, path, flags, __builtin_return_address(0));
}

static FILE *open_stream(const char *path, const char *mode, void *caller)
{
    if (strchr(mode, 'w') || strchr(mode, 'a') || strchr(mode, '+'))
        mazurka_refuse("fopen() of a file for writing", caller);
    return (FILE *)enter(open_real(AT_FDCWD, path, O_RDONLY), caller);
}

LIBRARY FILE *__wrap_fopen(const char *path, const char *mode)
{
    return open_stream(path, mode, __builtin_return_address(0));
}

LIBRARY FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return open_stream(path, mode, __builtin_return_address(0));
}

/* What was in the file is freed, and stays noted: to use it after that is to use what was freed. */
static int leave(struct file *file)
{
    pthread_mutex_lock(&table);
    int was_open = file->is_open;
    file->is_open = 0;
    free(file->contents);
    pthread_mutex_unlock(&table);
    return was_open ? 0 : -1;
}

LIBRARY int __wrap_close(int number)
{
    /* The checker writes there, too. */
    if (number >= STDIN_FILENO && number <= STDERR_FILENO)
        return 0;
    struct file *file = file_of(number);
    return file ? leave(file) : -1;
}

LIBRARY int __wrap_fclose(FILE *stream) { return standard_number(stream) >= 0 ? 0 : leave((struct file *)stream); }

static size_t size_of_file(struct file *file) { return file->contents ? file->contents->size : 0; }

/* Takes bytes from a place in a file, by whom holds its lock. */
static size_t take(struct file *file, char *to, size_t size, size_t from)
{
    size_t whole = size_of_file(file), left = from < whole ? whole - from : 0;
    size_t length = size < left ? size : left;
    if (length > 0)
        memcpy(to, file->contents->bytes + from, length);
    return length;
}

LIBRARY ssize_t __wrap_read(int number, void *to, size_t size)
{
    struct file *file = file_of(number);
    if (!file)
        return -1;
    pthread_mutex_lock(&file->lock);
    size_t length = take(file, to, size, file->position);
    file->position += length;
    pthread_mutex_unlock(&file->lock);
    return (ssize_t)length;
}

LIBRARY ssize_t __wrap_pread(int number, void *to, size_t size, off_t from)
{
    struct file *file = file_of(number);
    if (!file)
        return -1;
    if (from < 0) {
        errno = EINVAL;
        return -1;
    }
    return (ssize_t)take(file, to, size, (size_t)from);
}

/* Where a move leads to; less than 0 if nowhere. */
static off_t moved(struct file *file, off_t by, int from)
{
    off_t start = from == SEEK_SET ? 0 : from == SEEK_CUR ? (off_t)file->position : (off_t)size_of_file(file);
    if (from < SEEK_SET || from > SEEK_END || start + by < 0) {
        errno = EINVAL;
        return -1;
    }
    return start + by;
}

static off_t seek(struct file *file, off_t by, int from)
{
    pthread_mutex_lock(&file->lock);
    off_t to = moved(file, by, from);
    if (to >= 0) {
        file->position = (size_t)to;
        file->pushed = NONE_PUSHED;
        file->flags &= ~AT_END;
    }
    pthread_mutex_unlock(&file->lock);
    return to;
}

LIBRARY off_t __wrap_lseek(int number, off_t by, int from)
{
    struct file *file = file_of(number);
    return file ? seek(file, by, from) : -1;
}

LIBRARY off_t __wrap_lseek64(int number, off_t by, int from) { return __wrap_lseek(number, by, from); }

LIBRARY int __wrap_fseek(FILE *stream, long by, int from) { return seek(file_of_stream(stream), by, from) < 0 ? -1 : 0; }
LIBRARY int __wrap_fseeko(FILE *stream, off_t by, int from) { return __wrap_fseek(stream, by, from); }

LIBRARY long __wrap_ftell(FILE *stream)
{
    struct file *file = file_of_stream(stream);
    pthread_mutex_lock(&file->lock);
    long at = moved(file, 0, SEEK_CUR);
    pthread_mutex_unlock(&file->lock);
    return at;
}

LIBRARY off_t __wrap_ftello(FILE *stream) { return __wrap_ftell(stream); }

LIBRARY void __wrap_clearerr(FILE *stream)
{
    struct file *file = file_of_stream(stream);
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
    if (take(file, &byte, 1, file->position) == 0) {
        file->flags |= AT_END;
        return EOF;
    }
    file->position++;
    return (unsigned char)byte;
}

LIBRARY int __wrap_fgetc(FILE *stream)
{
    struct file *file = file_of_stream(stream);
    pthread_mutex_lock(&file->lock);
    int byte = next(file);
    pthread_mutex_unlock(&file->lock);
    return byte;
}

LIBRARY int __wrap_getc(FILE *stream) { return __wrap_fgetc(stream); }
LIBRARY int __wrap_getchar(void) { return __wrap_fgetc(stdin); }
LIBRARY int __wrap_getc_unlocked(FILE *stream) { return next(file_of_stream(stream)); }
LIBRARY int __wrap_getchar_unlocked(void) { return next(file_of_stream(stdin)); }
LIBRARY int __wrap___uflow(FILE *stream) { return next(file_of_stream(stream)); }

LIBRARY int __wrap_ungetc(int byte, FILE *stream)
{
    struct file *file = file_of_stream(stream);
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
    struct file *file = file_of_stream(stream);
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
    struct file *file = file_of_stream(stream);
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
    struct file *file = file_of_stream(stream);
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
    struct file *file = file_of_stream(stream);
    pthread_mutex_lock(&file->lock);
    int flags = file->flags;
    pthread_mutex_unlock(&file->lock);
    return (flags & flag) != 0;
}

LIBRARY int __wrap_feof(FILE *stream) { return has_flag(stream, AT_END); }
LIBRARY int __wrap_ferror(FILE *stream) { return has_flag(stream, FAILED); }
LIBRARY int __wrap_feof_unlocked(FILE *stream) { return (file_of_stream(stream)->flags & AT_END) != 0; }
LIBRARY int __wrap_ferror_unlocked(FILE *stream) { return (file_of_stream(stream)->flags & FAILED) != 0; }
LIBRARY int __wrap_fileno(FILE *stream) { return number_of(file_of_stream(stream)); }
LIBRARY int __wrap_fileno_unlocked(FILE *stream) { return number_of(file_of_stream(stream)); }

/* No file is a terminal: whether the output of the checker goes to one is none of the program's business. */
LIBRARY int __wrap_isatty(int number)
{
    if (file_of(number))
        errno = ENOTTY;
    return 0;
}

LIBRARY void __wrap_flockfile(FILE *stream) { pthread_mutex_lock(&file_of_stream(stream)->lock); }
LIBRARY void __wrap_funlockfile(FILE *stream) { pthread_mutex_unlock(&file_of_stream(stream)->lock); }
LIBRARY int __wrap_ftrylockfile(FILE *stream) { return pthread_mutex_trylock(&file_of_stream(stream)->lock); }

typedef int look_at(const char *, struct stat *);

static int look(look_at *look_at, const char *path, struct stat *to)
{
    char copy[PATH_MAX];
    struct stat found;
    int result = copied(path, copy) ? look_at(copy, &found) : -1;
    if (result == 0)
        *to = found;
    return result;
}

LIBRARY int __wrap_stat(const char *path, struct stat *to) { return look(__real_stat, path, to); }
LIBRARY int __wrap_lstat(const char *path, struct stat *to) { return look(__real_lstat, path, to); }

LIBRARY int __wrap_fstat(int number, struct stat *to)
{
    struct file *file = file_of(number);
    if (!file)
        return -1;
    if (file->contents) {
        *to = file->contents->status;
        return 0;
    }
    /* Of the standard ones, whatever they are connected to. */
    memset(to, 0, sizeof *to);
    to->st_mode = S_IFCHR | 0620;
    to->st_blksize = PIECE;
    return 0;
}
