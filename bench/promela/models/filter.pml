/* Peterson's filter lock for N processes. */
#ifndef N
#define N 4
#endif
byte level[N];
byte last[N];
byte inside;

active [N] proctype P() {
	byte l, k;
	do
	:: l = 1;
	   do
	   :: l < N ->
		level[_pid] = l;
		last[l] = _pid;
		k = 0;
		do
		:: k < N && (k == _pid || level[k] < l) -> k++
		:: k < N && last[l] != _pid -> break
		:: k == N -> break
		od;
		l++
	   :: else -> break
	   od;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   level[_pid] = 0
	od
}
