// A lock-free stack as a class template, with shared ownership of nothing: pushes race, main takes all at once.
// expect: ok
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

template <class T> class Stack {
    struct Node {
        T value;
        Node *next;
    };
    std::atomic<Node *> top_{nullptr};

  public:
    void push(T value)
    {
        auto *node = new Node{value, top_.load()};
        while (!top_.compare_exchange_weak(node->next, node))
            ;
    }

    template <class F> void take_all(F each)
    {
        for (auto *node = top_.exchange(nullptr); node;) {
            each(node->value);
            delete std::exchange(node, node->next);
        }
    }
};

int main()
{
    Stack<int> stack;
    std::thread first([&] { stack.push(1); }), second([&] { stack.push(2); });
    first.join();
    second.join();
    int sum = 0;
    stack.take_all([&](int value) { sum += value; });
    assert(sum == 3);
}
