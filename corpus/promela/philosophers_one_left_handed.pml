/* The same with one who takes the right fork first.
 * holds
 * states 24
 */
#define N 3
#define LEFT ((_pid == 0 -> 1 : _pid))
#define RIGHT ((_pid == 0 -> 0 : (_pid + 1) % N))
bit fork[N];

active [N] proctype Philosopher() {
end:	do
	:: atomic { fork[LEFT] == 0 -> fork[LEFT] = 1 };
	   atomic { fork[RIGHT] == 0 -> fork[RIGHT] = 1 };
	   fork[RIGHT] = 0;
	   fork[LEFT] = 0
	od
}
