/* A semaphore as a process that decides whom to serve before anybody asks: it waits for one who never comes.
 * wrong: invalid end state
 * states 528
 */
mtype = { acquire, release };
chan gate = [0] of { mtype };
byte inside;

active proctype Semaphore() {
	byte free = 2;
end:	do
	:: free > 0 ->
endwait:	gate?acquire;
		free--
	:: gate?release; free++
	od
}

active [3] proctype User() {
	gate!acquire;
	inside++;
	assert(inside <= 2);
	inside--;
	gate!release
}
