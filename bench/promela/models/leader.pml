/* Leader election in a ring, after Chang and Roberts. */
#ifndef N
#define N 10
#endif
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
	byte i;
	atomic { for (i : 0 .. N - 1) { run Node(i) } }
}
