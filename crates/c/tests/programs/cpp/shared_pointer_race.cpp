// BUG: one std::shared_ptr is assigned by one thread and copied by another.
// expect: race | use-after-free
#include <memory>
#include <thread>

int main()
{
    auto shared = std::make_shared<int>(1);
    std::thread writer([&] { shared = std::make_shared<int>(2); });
    std::thread reader([&] { auto copy = shared; });
    writer.join();
    reader.join();
}
