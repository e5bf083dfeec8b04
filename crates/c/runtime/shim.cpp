// The part of the runtime that has to be in C++: what an exception is that nobody catches; and operators new and delete, so
// that the runtime knows who calls them.

#include <cstddef>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <ostream>
#include <string>
#include <typeinfo>

namespace {

struct Text {
    char *next;
    const char *end;

    void add(const char *from)
    {
        while (*from && next < end)
            *next++ = *from++;
        *next = 0;
    }
};

} // namespace

// Writes the type of the exception that is being handled, and what it says, into `to`. Whether there is one is the answer.
extern "C" __attribute__((visibility("default"))) int mazurka_describe_exception(char *to, std::size_t size) noexcept
{
    const std::type_info *type = abi::__cxa_current_exception_type();
    if (!type)
        return 0;
    Text text{to, to + size - 1};
    int status = 0;
    char *name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    text.add(name ? name : type->name());
    std::free(name);
    try {
        throw;
    } catch (const std::exception &exception) {
        text.add(": ");
        text.add(exception.what());
    } catch (...) {
    }
    return 1;
}

#define HIDDEN __attribute__((visibility("hidden")))
#define CALLER __builtin_return_address(0)

// As malloc, aligned_alloc and free, for this caller.
extern "C" void *mazurka_allocate(std::size_t size, std::size_t align, void *caller);
extern "C" void mazurka_free(void *block, void *caller);

// When there is no memory, the C++ library's own operator says so.
#define NEW(symbol)                                                                                                     \
    extern "C" void *__real_##symbol(std::size_t);                                                                      \
    extern "C" HIDDEN void *__wrap_##symbol(std::size_t size)                                                           \
    {                                                                                                                  \
        void *block = mazurka_allocate(size, alignof(std::max_align_t), CALLER);                                       \
        return block ? block : __real_##symbol(size);                                                                  \
    }

#define NEW_ALIGNED(symbol)                                                                                             \
    extern "C" void *__real_##symbol(std::size_t, std::size_t);                                                         \
    extern "C" HIDDEN void *__wrap_##symbol(std::size_t size, std::size_t align)                                        \
    {                                                                                                                  \
        void *block = mazurka_allocate(size, align, CALLER);                                                           \
        return block ? block : __real_##symbol(size, align);                                                           \
    }

#define NEW_OR_NULL(symbol)                                                                                             \
    extern "C" HIDDEN void *__wrap_##symbol(std::size_t size, const void *)                                             \
    {                                                                                                                  \
        return mazurka_allocate(size, alignof(std::max_align_t), CALLER);                                              \
    }

#define DELETE(symbol)                                                                                                  \
    extern "C" HIDDEN void __wrap_##symbol(void *block, std::size_t, std::size_t) { mazurka_free(block, CALLER); }

NEW(_Znwm)
NEW(_Znam)
NEW_ALIGNED(_ZnwmSt11align_val_t)
NEW_ALIGNED(_ZnamSt11align_val_t)
NEW_OR_NULL(_ZnwmRKSt9nothrow_t)
NEW_OR_NULL(_ZnamRKSt9nothrow_t)
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm)
DELETE(_ZdaPvm)
DELETE(_ZdlPvSt11align_val_t)
DELETE(_ZdaPvSt11align_val_t)
DELETE(_ZdlPvmSt11align_val_t)
DELETE(_ZdaPvmSt11align_val_t)

// Who joins or detaches a std::thread changes that object, which the C++ library does unseen.
extern "C" void mazurka_before_write(void *object, std::size_t size, void *caller);

#define CHANGES_THREAD(symbol)                                                                                          \
    extern "C" void __real_##symbol(void *);                                                                            \
    extern "C" HIDDEN void __wrap_##symbol(void *thread)                                                                \
    {                                                                                                                  \
        mazurka_before_write(thread, sizeof(void *), CALLER);                                                          \
        __real_##symbol(thread);                                                                                       \
    }

CHANGES_THREAD(_ZNSt6thread4joinEv)
CHANGES_THREAD(_ZNSt6thread6detachEv)

// What the C++ library changes unseen of a pointer to an exception, which is the program's: it lets the exception go, and the pointer
// is null then if it was the last. It does so to a copy, for to free the exception is an operation before that.
extern "C" void __real__ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **);
extern "C" HIDDEN void __wrap__ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **pointer)
{
    mazurka_before_write(pointer, sizeof(void *), CALLER);
    void *copy = *pointer;
    __real__ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(&copy);
    if (copy != *pointer) {
        mazurka_before_write(pointer, sizeof(void *), CALLER);
        *pointer = copy;
    }
}

// The pointer that is returned is written where the caller wants it.
extern "C" void *__real__ZSt17current_exceptionv(void *);
extern "C" HIDDEN void *__wrap__ZSt17current_exceptionv(void *result)
{
    mazurka_before_write(result, sizeof(void *), CALLER);
    return __real__ZSt17current_exceptionv(result);
}

extern "C" void mazurka_before_read(const void *object, std::size_t size, void *caller);

// What an object really is, is written in it, where its constructors and destructors change it.
extern "C" void *__real___dynamic_cast(const void *, const void *, const void *, std::ptrdiff_t);
extern "C" HIDDEN void *
__wrap___dynamic_cast(const void *object, const void *from, const void *to, std::ptrdiff_t offset)
{
    mazurka_before_read(object, sizeof(void *), CALLER);
    return __real___dynamic_cast(object, from, to, offset);
}

extern "C" void mazurka_refuse(const char *what, void *caller);

// A value that is set when its thread ends is set by code of the C++ library, which nobody sees.
extern "C" HIDDEN void __wrap__ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(void *)
{
    mazurka_refuse("std::promise::set_value_at_thread_exit (or make_ready_at_thread_exit of a std::packaged_task): "
                   "the C++ library sets it in code that is not seen; set it as the thread's last statement",
                   CALLER);
}

// Streams. What announces their accesses is in assembly, with the functions of streams that a program uses, and calls these.

// The standard streams may be used by several threads. They are there only if the program uses them.
extern "C" HIDDEN __attribute__((weak)) char _ZSt4cout[], _ZSt4cerr[], _ZSt4clog[], _ZSt5wcout[], _ZSt5wcerr[], _ZSt5wclog[];

namespace {

// All of it but the table of virtual functions, which is read to find it.
template <typename T> void announce_all(T *object, std::size_t size, void *caller)
{
    mazurka_before_write(reinterpret_cast<char *>(object) + sizeof(void *), size - sizeof(void *), caller);
}

bool is_standard(const void *stream)
{
    for (const char *standard : {_ZSt4cout, _ZSt4cerr, _ZSt4clog, _ZSt5wcout, _ZSt5wcerr, _ZSt5wclog})
        if (standard && stream >= standard && stream < standard + sizeof(std::ostream))
            return true;
    return false;
}

// Where a stream on the buffer of a standard one writes is the standard one's.
bool is_of_standard(std::streambuf *buffer)
{
    for (char *standard : {_ZSt4cout, _ZSt4cerr, _ZSt4clog, _ZSt5wcout, _ZSt5wcerr, _ZSt5wclog})
        if (standard && reinterpret_cast<std::ostream *>(standard)->rdbuf() == buffer)
            return true;
    return false;
}

} // namespace

// Those that write into a string.
extern "C" HIDDEN __attribute__((weak)) char _ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE[];

namespace {

// Such a buffer ends with the string and how it was opened.
std::size_t size_of(std::streambuf *buffer)
{
    const char *functions = *reinterpret_cast<char **>(buffer);
    const char *of_string = _ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE;
    bool is_string = of_string && functions == of_string + 2 * sizeof(void *);
    return sizeof(std::streambuf) + (is_string ? sizeof(long) + sizeof(std::string) : 0);
}

} // namespace

extern "C" HIDDEN void mazurka_changes_state(std::ios *state, void *caller)
{
    if (!is_standard(state))
        announce_all(state, sizeof *state, caller);
}

extern "C" HIDDEN void mazurka_changes_buffer(std::streambuf *buffer, void *caller)
{
    if (buffer && !is_of_standard(buffer))
        announce_all(buffer, size_of(buffer), caller);
}

extern "C" HIDDEN void mazurka_reads_buffer(std::streambuf *buffer, void *caller)
{
    if (buffer && !is_of_standard(buffer))
        mazurka_before_read(reinterpret_cast<char *>(buffer) + sizeof(void *), size_of(buffer) - sizeof(void *), caller);
}

extern "C" HIDDEN void mazurka_changes_stream(std::ostream *stream, void *caller)
{
    if (is_standard(stream))
        return;
    mazurka_changes_state(stream, caller);
    mazurka_changes_buffer(stream->rdbuf(), caller);
}

extern "C" HIDDEN void mazurka_reads_stream(std::ostream *stream, void *caller)
{
    mazurka_reads_buffer(stream->rdbuf(), caller);
}
