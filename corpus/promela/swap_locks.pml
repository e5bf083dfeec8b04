/* Two who take two locks in opposite orders.
 * wrong: invalid end state
 * states 25
 */
bit lock[2];

active [2] proctype P() {
	bit first = _pid, second = 1 - _pid;
	atomic { lock[first] == 0 -> lock[first] = 1 };
	atomic { lock[second] == 0 -> lock[second] = 1 };
	lock[second] = 0;
	lock[first] = 0
}
