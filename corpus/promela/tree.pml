/* Processes that make processes, and wait for them by their number.
 * holds
 * states 6448
 */
byte leaves;

proctype Node(byte depth; chan up) {
	chan down = [2] of { byte };
	byte left, right;
	if
	:: depth == 0 -> atomic { leaves++; up!1 }
	:: else ->
		run Node(depth - 1, down);
		run Node(depth - 1, down);
		down?left;
		down?right;
		up!left + right
	fi
}

init {
	chan top = [1] of { byte };
	byte n;
	run Node(2, top);
	top?n;
	assert(n == 4 && leaves == 4)
}
