// std::call_once, also when the first call throws.
// expect: ok
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

int main()
{
    std::once_flag once;
    int attempts = 0, runs = 0;
    auto call = [&] {
        try {
            std::call_once(once, [&] {
                if (attempts++ == 0)
                    throw std::runtime_error("not yet");
                runs++;
            });
        } catch (const std::runtime_error &) {
        }
    };
    std::thread first(call), second(call);
    first.join();
    second.join();
    assert(attempts == 2 && runs == 1);
}
