/* Leader election in a ring, after Chang and Roberts.
 * holds
 * states 72
 */
#define N 3
chan ring[N] = [N] of { byte };
byte leaders;

proctype Node(byte me) {
	byte other;
	ring[(me + 1) % N]!me;
	do
	:: ring[me]?other ->
	   if
	   :: other > me -> ring[(me + 1) % N]!other
	   :: other == me -> leaders++; assert(leaders == 1); break
	   :: other < me
	   fi
	:: timeout -> break
	od
}

init {
	atomic { run Node(0); run Node(1); run Node(2) }
}
