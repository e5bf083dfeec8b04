/* Two processes and a critical section, after Peterson.
 * holds
 * states 38
 */
bit wants[2];
bit turn;
byte inside;

active [2] proctype P() {
again:
	wants[_pid] = 1;
	turn = 1 - _pid;
	(wants[1 - _pid] == 0 || turn == _pid);
	inside++;
	assert(inside == 1);
	inside--;
	wants[_pid] = 0;
	goto again
}

ltl served { always (wants[0] implies eventually (inside == 1)) }
