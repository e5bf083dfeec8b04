/* Copies by the names of gcc's own functions become calls of the C library's, which are announced. Where the C++ library needs them in
 * constant expressions, the number of bytes is a variable, so that gcc calls those as well. */

#pragma GCC system_header

/* gcc leaves a call of a pure function out when nobody looks at the answer, with all that the function reads. */
#define __pure__ __unused__
#define pure __unused__

#if defined(__cplusplus) && __cplusplus >= 201103L
#define MAZURKA_COPY(name, to, from)                                                                                    \
    static inline constexpr __attribute__((__always_inline__, __artificial__, __unused__))                             \
    to mazurka_builtin_##name(to target, from source, __SIZE_TYPE__ size) noexcept                                     \
    {                                                                                                                  \
        return __builtin_##name(target, source, size);                                                                 \
    }
#else
#define MAZURKA_COPY(name, to, from) to mazurka_builtin_##name(to, from, __SIZE_TYPE__) __asm__(#name);
#endif

#ifdef __cplusplus
extern "C" {
#endif
MAZURKA_COPY(memcpy, void *, const void *)
MAZURKA_COPY(memmove, void *, const void *)
MAZURKA_COPY(mempcpy, void *, const void *)
MAZURKA_COPY(memset, void *, int)
char *mazurka_builtin_strcpy(char *, const char *) __asm__("strcpy");
char *mazurka_builtin_stpcpy(char *, const char *) __asm__("stpcpy");
char *mazurka_builtin_strcat(char *, const char *) __asm__("strcat");
char *mazurka_builtin_strncpy(char *, const char *, __SIZE_TYPE__) __asm__("strncpy");
char *mazurka_builtin_stpncpy(char *, const char *, __SIZE_TYPE__) __asm__("stpncpy");
char *mazurka_builtin_strncat(char *, const char *, __SIZE_TYPE__) __asm__("strncat");
#ifdef __cplusplus
}
#endif
#undef MAZURKA_COPY

#define __builtin_memcpy(...) mazurka_builtin_memcpy(__VA_ARGS__)
#define __builtin_memmove(...) mazurka_builtin_memmove(__VA_ARGS__)
#define __builtin_mempcpy(...) mazurka_builtin_mempcpy(__VA_ARGS__)
#define __builtin_memset(...) mazurka_builtin_memset(__VA_ARGS__)
#define __builtin_strcpy(...) mazurka_builtin_strcpy(__VA_ARGS__)
#define __builtin_stpcpy(...) mazurka_builtin_stpcpy(__VA_ARGS__)
#define __builtin_strcat(...) mazurka_builtin_strcat(__VA_ARGS__)
#define __builtin_strncpy(...) mazurka_builtin_strncpy(__VA_ARGS__)
#define __builtin_stpncpy(...) mazurka_builtin_stpncpy(__VA_ARGS__)
#define __builtin_strncat(...) mazurka_builtin_strncat(__VA_ARGS__)
