/* Two processes and a critical section, after Dekker.
 * holds
 * states 110
 */
bit wants[2];
bit turn;
byte inside;

active [2] proctype P() {
	bit other = 1 - _pid;
end:	do
	:: wants[_pid] = 1;
		do
		:: wants[other] == 0 -> break
		:: wants[other] == 1 && turn == other ->
			wants[_pid] = 0;
			turn == _pid;
			wants[_pid] = 1
		od;
		inside++;
		assert(inside == 1);
		inside--;
		turn = other;
		wants[_pid] = 0
	od
}
