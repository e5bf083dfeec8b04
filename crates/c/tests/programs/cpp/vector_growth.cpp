// BUG: a vector grows while another thread reads it.
// expect: race | use-after-free
#include <thread>
#include <vector>

int main()
{
    std::vector<int> numbers{1};
    int seen = 0;
    std::thread reader([&] { seen = numbers.front(); });
    numbers.push_back(2);
    reader.join();
}
