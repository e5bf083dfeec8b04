/* What the functions on numbers of files and those on streams have in common. */

#include "library.h"
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* The number of a stream of the standard; -1 of any other. */
int mazurka_standard_number(FILE *stream);
struct file *mazurka_file_of_stream(FILE *stream);
int mazurka_number_of(struct file *file);
/* Opens a file of the system. */
int mazurka_open_real(int folder, const char *path, int flags);
/* A file that the system has opened, for whom it was called, gets the least number that is free. */
struct file *mazurka_enter(int real, void *caller);
/* What was in the file is freed, and stays noted: to use it after that is to use what was freed. */
int mazurka_leave(struct file *file);
/* Takes bytes from a place in a file, by whom holds its lock. */
size_t mazurka_take(struct file *file, char *to, size_t size, size_t from);
/* Where a move leads to; less than 0 if nowhere. */
off_t mazurka_moved(struct file *file, off_t by, int from);
off_t mazurka_seek(struct file *file, off_t by, int from);
