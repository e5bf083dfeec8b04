/* Without the turn, both wait for each other.
 * wrong: invalid end state
 * states 41
 */
bit wants[2];
byte inside;

active [2] proctype P() {
	wants[_pid] = 1;
	(wants[1 - _pid] == 0);
	inside++;
	assert(inside == 1);
	inside--;
	wants[_pid] = 0
}
