// One thread asks what an object really is, while another one destroys it: the destructors change what is read.
// expect: race | use-after-free
#include <thread>

struct Base {
    virtual ~Base() {}
};

struct Derived : Base {
    int value = 0;
};

int main()
{
    Base *base = new Derived;
    std::thread other([base] {
        volatile bool is = dynamic_cast<Derived *>(base) != nullptr; // found here
        (void)is;
    });
    delete base;
    other.join();
}
