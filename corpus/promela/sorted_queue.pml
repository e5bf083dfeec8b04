/* Jobs that are served in the order of their numbers, whoever brings them; one is looked for out of turn.
 * holds
 * states 68
 */
chan jobs = [4] of { byte };
byte served;

active proctype Clerk() { jobs!!3; jobs!!1 }
active proctype Boss() {
	jobs!!2;
endlook:	jobs??[2] -> skip
}

active proctype Server() {
	byte n, last;
	full(jobs) || len(jobs) == 3;
	do
	:: served < 3 ->
		jobs?n;
		assert(n > last);
		last = n;
		served++
	:: else -> break
	od
}
