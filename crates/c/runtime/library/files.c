/* Files, which can only be read. What is in a file is read when it is opened, in every execution anew; where a thread is in it,
 * whether it met the end and which numbers files have are variables of the program, so that every execution begins with the
 * same. Streams and numbers are locked as the C library and the system lock them. */

#include "files.h"

int __real_openat(int, const char *, int, ...);
ssize_t __real_read(int, void *, size_t);
int __real_close(int);
int __real_stat(const char *, struct stat *);
int __real_lstat(const char *, struct stat *);
int __real_fstat(int, struct stat *);

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

LIBRARY int mazurka_standard_number(FILE *stream)
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

LIBRARY struct file *mazurka_file_of_stream(FILE *stream)
{
    int number = mazurka_standard_number(stream);
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

LIBRARY struct file *mazurka_enter(int real, void *caller)
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

LIBRARY int mazurka_number_of(struct file *file)
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

LIBRARY int mazurka_open_real(int folder, const char *path, int flags)
{
    char copy[PATH_MAX];
    return copied(path, copy) ? __real_openat(folder, copy, flags | O_CLOEXEC | O_NONBLOCK) : -1;
}

static int open_by_number(int folder, const char *path, int flags, void *caller)
{
    if (is_for_writing(flags))
        mazurka_refuse("open() of a file for writing", caller);
    return mazurka_number_of(mazurka_enter(mazurka_open_real(folder, path, flags), caller));
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

LIBRARY int mazurka_leave(struct file *file)
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
    return file ? mazurka_leave(file) : -1;
}

static size_t size_of_file(struct file *file) { return file->contents ? file->contents->size : 0; }

LIBRARY size_t mazurka_take(struct file *file, char *to, size_t size, size_t from)
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
    size_t length = mazurka_take(file, to, size, file->position);
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
    return (ssize_t)mazurka_take(file, to, size, (size_t)from);
}

LIBRARY off_t mazurka_moved(struct file *file, off_t by, int from)
{
    off_t start = from == SEEK_SET ? 0 : from == SEEK_CUR ? (off_t)file->position : (off_t)size_of_file(file);
    if (from < SEEK_SET || from > SEEK_END || start + by < 0) {
        errno = EINVAL;
        return -1;
    }
    return start + by;
}

LIBRARY off_t mazurka_seek(struct file *file, off_t by, int from)
{
    pthread_mutex_lock(&file->lock);
    off_t to = mazurka_moved(file, by, from);
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
    return file ? mazurka_seek(file, by, from) : -1;
}

LIBRARY off_t __wrap_lseek64(int number, off_t by, int from) { return __wrap_lseek(number, by, from); }

/* No file is a terminal: whether the output of the checker goes to one is none of the program's business. */
LIBRARY int __wrap_isatty(int number)
{
    if (file_of(number))
        errno = ENOTTY;
    return 0;
}

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
