/* Philosophers who all take the left fork first; they can all wait. */
#ifndef N
#define N 10
#endif
bit fork[N];

active [N] proctype Philosopher() {
	do
	:: atomic { fork[_pid] == 0 -> fork[_pid] = 1 };
	   atomic { fork[(_pid + 1) % N] == 0 -> fork[(_pid + 1) % N] = 1 };
	   fork[(_pid + 1) % N] = 0;
	   fork[_pid] = 0
	od
}
