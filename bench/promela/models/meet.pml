/* Pairs of processes that meet by rendezvous and count how often, in a ring. */
#ifndef N
#define N 5
#endif
#ifndef TIMES
#define TIMES 3
#endif
chan link[N] = [0] of { byte, bool };

active [N] proctype P() {
	byte sent, got, from;
end:	do
	:: sent < TIMES -> link[(_pid + 1) % N]!_pid, (sent & 1); sent++
	:: got < TIMES -> link[_pid]?from, _; assert(from == (_pid + N - 1) % N); got++
	od
}
