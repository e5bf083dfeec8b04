/* Three philosophers who all take the left fork first.
 * wrong: invalid end state
 * states 35
 */
#define N 3
bit fork[N];

active [N] proctype Philosopher() {
	do
	:: atomic { fork[_pid] == 0 -> fork[_pid] = 1 };
	   atomic { fork[(_pid + 1) % N] == 0 -> fork[(_pid + 1) % N] = 1 };
	   fork[(_pid + 1) % N] = 0;
	   fork[_pid] = 0
	od
}
