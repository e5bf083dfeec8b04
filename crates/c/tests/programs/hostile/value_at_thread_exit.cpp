// The value is there when its thread has ended, and so is what the thread's destructors wrote. The C++ library sets it in
// compiled code of its own, so that the order of the two would not be explored.
// expect: refused set_value_at_thread_exit
#include <future>
#include <thread>

int shared;

struct Late {
    ~Late() { shared = 1; }
};

int main()
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&] {
        static thread_local Late late;
        (void)&late;
        promise.set_value_at_thread_exit(1);
    });
    int seen = future.get() + shared;
    thread.join();
    return seen == 3;
}
