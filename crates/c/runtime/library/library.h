/* What the parts of the C library have in common that are compiled with the program. A function of them is called in place of
 * the C library's, which it calls itself by the name __real_…, with memory that one thread alone has. */

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define LIBRARY __attribute__((visibility("hidden")))

/* Ends the check: what is asked for is not supported. */
extern void mazurka_refuse(const char *what, void *caller);
#define REFUSE(what) mazurka_refuse(what, __builtin_return_address(0))
