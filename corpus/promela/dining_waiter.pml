/* Philosophers who ask a waiter for both forks at once.
 * holds
 * states 7
 */
#define N 3
bit fork[N];

active [N] proctype Philosopher() {
	byte left = _pid, right = (_pid + 1) % N;
end:	do
	:: atomic { !fork[left] && !fork[right] -> fork[left] = 1; fork[right] = 1 };
		assert(fork[left] && fork[right]);
		d_step { fork[left] = 0; fork[right] = 0 }
	od
}
