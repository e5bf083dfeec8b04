// BUG: two transfers in opposite directions lock the accounts in opposite order.
// expect: deadlock
// model: mutex a, b; lock a; lock b; unlock b; unlock a | lock b; lock a; unlock a; unlock b
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account here = {PTHREAD_MUTEX_INITIALIZER, 10}, there = {PTHREAD_MUTEX_INITIALIZER, 20};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock); // found here
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *forth(void *unused)
{
    (void)unused;
    transfer(&here, &there, 1);
    return NULL;
}

static void *back(void *unused)
{
    (void)unused;
    transfer(&there, &here, 2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, forth, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
