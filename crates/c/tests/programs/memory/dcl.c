// Double-checked locking.
#include "orders.h"
#ifndef PUBLISH
#define PUBLISH REL
#endif
#ifndef SEEN
#define SEEN ACQ
#endif
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
_Atomic(int *) made;
int it;
void *thread(void *p) {
    int *found = load(&made, SEEN);
    if (!found) {
        pthread_mutex_lock(&mutex);
        found = load(&made, RLX);
        if (!found) {
            it = 1;
            found = &it;
            store(&made, found, PUBLISH);
        }
        pthread_mutex_unlock(&mutex);
    }
    assert(*found == 1);
    return p;
}
int main(void) { both(thread, thread); }
