//! Which functions of the C library are replaced by the runtime's.

/// Calls of these go to `__wrap_…` of the same name.
pub(super) const WRAPPED: &[&str] = &[
    // Memory
    "malloc",
    "calloc",
    "realloc",
    "free",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "malloc_usable_size",
    "memcpy",
    "memmove",
    "memset",
    "__tls_get_addr",
    // Threads
    "pthread_create",
    "pthread_join",
    "pthread_detach",
    "pthread_self",
    "pthread_exit",
    // Mutexes
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "pthread_mutex_unlock",
    // The process
    "exit",
    "_exit",
    "abort",
    "__assert_fail",
    // Output
    "printf",
    "vprintf",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "fwrite",
    "fprintf",
    "vfprintf",
    "perror",
    "fflush",
    "write",
];
