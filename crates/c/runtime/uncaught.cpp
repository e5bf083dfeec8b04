// The part of the runtime that has to be in C++: what an exception is that nobody catches.

#include <cstdlib>
#include <cxxabi.h>
#include <exception>
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
