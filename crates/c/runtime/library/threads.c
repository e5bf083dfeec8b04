/* Attributes of threads and of what they synchronise by: objects of the program that the C library reads and writes. */

#include "library.h"
#include <pthread.h>

/* The C library works on a copy. */
#define MAKE(name, type)                                                                                                \
    int __real_##name(type *);                                                                                          \
    LIBRARY int __wrap_##name(type *object)                                                                             \
    {                                                                                                                   \
        type copy;                                                                                                      \
        memset(&copy, 0, sizeof copy);                                                                                  \
        int result = __real_##name(&copy);                                                                              \
        *object = copy;                                                                                                 \
        return result;                                                                                                  \
    }

#define CHANGE(name, type, argument)                                                                                    \
    int __real_##name(type *, argument);                                                                                \
    LIBRARY int __wrap_##name(type *object, argument value)                                                             \
    {                                                                                                                   \
        type copy = *object;                                                                                            \
        int result = __real_##name(&copy, value);                                                                       \
        *object = copy;                                                                                                 \
        return result;                                                                                                  \
    }

#define LOOK(name, type, answer)                                                                                        \
    int __real_##name(const type *, answer *);                                                                          \
    LIBRARY int __wrap_##name(const type *object, answer *to)                                                           \
    {                                                                                                                   \
        type copy = *object;                                                                                            \
        answer found;                                                                                                   \
        int result = __real_##name(&copy, &found);                                                                      \
        if (result == 0)                                                                                                \
            *to = found;                                                                                                \
        return result;                                                                                                  \
    }

#define DESTROY(name, type)                                                                                             \
    LIBRARY int __wrap_##name(type *object)                                                                             \
    {                                                                                                                   \
        memset(object, 0xFF, sizeof *object);                                                                           \
        return 0;                                                                                                       \
    }

/* Settings of which one makes a difference that is not modelled. */
#define CHANGE_UNLESS(name, type, refused, what)                                                                        \
    int __real_##name(type *, int);                                                                                     \
    LIBRARY int __wrap_##name(type *object, int value)                                                                  \
    {                                                                                                                   \
        type copy = *object;                                                                                            \
        if (value == (refused))                                                                                         \
            REFUSE(what);                                                                                               \
        int result = __real_##name(&copy, value);                                                                       \
        *object = copy;                                                                                                 \
        return result;                                                                                                  \
    }

MAKE(pthread_mutexattr_init, pthread_mutexattr_t)
DESTROY(pthread_mutexattr_destroy, pthread_mutexattr_t)
CHANGE(pthread_mutexattr_settype, pthread_mutexattr_t, int)
CHANGE(pthread_mutexattr_setprotocol, pthread_mutexattr_t, int)
CHANGE(pthread_mutexattr_setpshared, pthread_mutexattr_t, int)
CHANGE_UNLESS(pthread_mutexattr_setrobust, pthread_mutexattr_t, PTHREAD_MUTEX_ROBUST, "a robust mutex: what becomes of it when its owner ends is not modelled")
LOOK(pthread_mutexattr_gettype, pthread_mutexattr_t, int)
MAKE(pthread_condattr_init, pthread_condattr_t)
DESTROY(pthread_condattr_destroy, pthread_condattr_t)
CHANGE(pthread_condattr_setclock, pthread_condattr_t, clockid_t)
CHANGE(pthread_condattr_setpshared, pthread_condattr_t, int)
MAKE(pthread_rwlockattr_init, pthread_rwlockattr_t)
DESTROY(pthread_rwlockattr_destroy, pthread_rwlockattr_t)
CHANGE(pthread_rwlockattr_setpshared, pthread_rwlockattr_t, int)
CHANGE_UNLESS(pthread_rwlockattr_setkind_np, pthread_rwlockattr_t, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP,
              "a reader-writer lock that prefers writers: here, whoever can take it may")
MAKE(pthread_barrierattr_init, pthread_barrierattr_t)
DESTROY(pthread_barrierattr_destroy, pthread_barrierattr_t)
CHANGE(pthread_barrierattr_setpshared, pthread_barrierattr_t, int)
MAKE(pthread_attr_init, pthread_attr_t)
CHANGE(pthread_attr_setdetachstate, pthread_attr_t, int)
CHANGE(pthread_attr_setstacksize, pthread_attr_t, size_t)
CHANGE(pthread_attr_setguardsize, pthread_attr_t, size_t)
CHANGE(pthread_attr_setschedpolicy, pthread_attr_t, int)
CHANGE(pthread_attr_setscope, pthread_attr_t, int)
CHANGE(pthread_attr_setinheritsched, pthread_attr_t, int)
CHANGE(pthread_attr_setschedparam, pthread_attr_t, const struct sched_param *)
LOOK(pthread_attr_getdetachstate, pthread_attr_t, int)
LOOK(pthread_attr_getstacksize, pthread_attr_t, size_t)
DESTROY(pthread_attr_destroy, pthread_attr_t)
