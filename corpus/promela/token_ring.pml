/* A token goes round by rendezvous; who has it may enter.
 * holds
 * states 25
 */
#define N 3
chan ring[N] = [0] of { bit };
byte inside;

proctype Station(byte me) {
	if
	:: me == 0 -> ring[1]!1
	:: else
	fi;
	do
	:: ring[me]?1 ->
	   inside++;
	   assert(inside == 1);
	   inside--;
	   ring[(me + 1) % N]!1
	od
}

init {
	atomic { run Station(0); run Station(1); run Station(2) }
}
