// The deque of Chase and Lev, with the orders of Le, Pop, Cohen and Zappa Nardelli (PPoPP 2013).
#include "orders.h"
#ifndef PUSH
#define PUSH REL
#endif
#ifndef TAKE
#define TAKE SC
#endif
#ifndef STEAL
#define STEAL SC
#endif
#ifndef BOTTOM
#define BOTTOM ACQ
#endif
atomic_int top, bottom, items[2];
int values[2], taken[2];
void push(int item) {
    int b = load(&bottom, RLX);
    values[item] = 1;
    store(&items[b % 2], item, RLX);
    atomic_thread_fence(PUSH);
    store(&bottom, b + 1, RLX);
}
void use(int item) {
    taken[item]++;
    assert(values[item] == 1);
}
void take(void) {
    int b = load(&bottom, RLX) - 1;
    store(&bottom, b, RLX);
    atomic_thread_fence(TAKE);
    int t = load(&top, RLX);
    if (t > b) {
        store(&bottom, b + 1, RLX);
        return;
    }
    int item = load(&items[b % 2], RLX);
    if (t == b) {
        int won = cas(&top, &t, t + 1, SC, RLX);
        store(&bottom, b + 1, RLX);
        if (!won) return;
    }
    use(item);
}
void *owner(void *p) {
    push(0);
    push(1);
    take();
    take();
    return p;
}
void steal(void) {
    int t = load(&top, ACQ);
    atomic_thread_fence(STEAL);
    int b = load(&bottom, BOTTOM);
    if (t < b) {
        int item = load(&items[t % 2], RLX);
        if (cas(&top, &t, t + 1, SC, RLX)) use(item);
    }
}
void *thief(void *p) {
    steal();
    steal();
    return p;
}
int main(void) { both(owner, thief); }
