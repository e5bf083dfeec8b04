// BUG: a derived object's thread calls a virtual function while the object is being destroyed.
// expect: race
#include <thread>

class Worker {
  public:
    void start() { thread_ = std::thread([this] { work(); }); }
    virtual ~Worker() { thread_.join(); }

  protected:
    virtual void work() {}

  private:
    std::thread thread_;
};

class Counter : public Worker {
  public:
    void work() override {}
};

int main()
{
    Counter counter;
    counter.start();
}
