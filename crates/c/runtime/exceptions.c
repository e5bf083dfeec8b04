/* Memory for the exceptions of C++, in place of the C++ library's functions for it. Those keep a reserve of more than
 * 70,000 bytes on the program's heap, to be used when there is no memory, which would have to be copied with every state
 * of a run. */

#include <stdlib.h>

enum {
    /* What the C++ library keeps in front of an exception. */
    HEADER = 128,
    /* An exception that stands for another one (std::rethrow_exception). */
    DEPENDENT = 112,
};

/* std::terminate. */
extern void _ZSt9terminatev(void) __attribute__((noreturn));

static char *zeroed_header(char *memory, size_t size) {
    if (memory == NULL) _ZSt9terminatev();
    for (size_t i = 0; i < size; i++) memory[i] = 0;
    return memory;
}

__attribute__((visibility("hidden"))) void *__cxa_allocate_exception(size_t size) {
    return zeroed_header(malloc(HEADER + size), HEADER) + HEADER;
}

__attribute__((visibility("hidden"))) void __cxa_free_exception(void *exception) {
    free((char *)exception - HEADER);
}

__attribute__((visibility("hidden"))) void *__cxa_allocate_dependent_exception(void) {
    return zeroed_header(malloc(DEPENDENT), DEPENDENT);
}

__attribute__((visibility("hidden"))) void __cxa_free_dependent_exception(void *exception) { free(exception); }
