/* Three processes and a waiting room with two doors, after Szymanski.
 * holds
 * states 11386
 */
#define N 3
byte flag[N];
byte inside;

active [N] proctype P() {
	byte j;
	flag[_pid] = 1;
	for (j : 0 .. N - 1) {
		flag[j] < 3
	}
	flag[_pid] = 3;
	if
	:: atomic { (flag[0] == 1 || flag[1] == 1 || flag[2] == 1) -> flag[_pid] = 2 };
		flag[0] == 4 || flag[1] == 4 || flag[2] == 4
	:: atomic { !(flag[0] == 1 || flag[1] == 1 || flag[2] == 1) -> skip }
	fi;
	flag[_pid] = 4;
	j = 0;
	do
	:: j < _pid -> flag[j] < 2; j++
	:: else -> break
	od;
	inside++;
	assert(inside == 1);
	inside--;
	j = _pid + 1;
	do
	:: j < N -> flag[j] < 2 || flag[j] > 3; j++
	:: else -> break
	od;
	flag[_pid] = 0
}
