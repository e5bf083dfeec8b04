// A thread that ends by pthread_exit leaves its functions in order: locks of its scopes are given back, and what it has pushed is
// called.
// expect: ok
// model: mutex m; lock m; unlock m | lock m; unlock m
#include <cassert>
#include <mutex>
#include <pthread.h>

static std::mutex lock;
static int counter;
static thread_local int called;

static void call(void *)
{
    called++;
}

struct Last {
    ~Last() { assert(called == 1); }
};

static void leave()
{
    std::lock_guard<std::mutex> guard(lock);
    counter++;
    pthread_exit(&counter);
}

static void *thread(void *)
{
    Last last;
    pthread_cleanup_push(call, nullptr);
    try {
        leave();
    } catch (int) {
        assert(false);
    }
    pthread_cleanup_pop(0);
    return nullptr;
}

int main()
{
    pthread_t one, other;
    pthread_create(&one, nullptr, thread, nullptr);
    pthread_create(&other, nullptr, thread, nullptr);
    pthread_join(one, nullptr);
    pthread_join(other, nullptr);
}
