/* Single-decree Paxos: two proposers, three acceptors, any answer may be late; what is chosen does not change.
 * One that was refused waits for ever, which is allowed.
 * holds
 * states 28677
 */
#define ACCEPTORS 3
mtype = { prepare, promise, accept, accepted };
/* the kind, the ballot, the ballot that was accepted, its value */
chan to[ACCEPTORS] = [2] of { mtype, byte, byte, byte };
chan back[2] = [3] of { mtype, byte, byte, byte };
byte chosen;

proctype Acceptor(byte me) {
	byte promised, ballot, value, b, v;
end:	do
	:: to[me]?prepare, b, _, _;
		if
		:: b > promised -> promised = b; back[b - 1]!promise, b, ballot, value
		:: else
		fi
	:: to[me]?accept, b, _, v;
		if
		:: b >= promised -> promised = b; ballot = b; value = v; back[b - 1]!accepted, b, 0, v
		:: else
		fi
	od
}

proctype Proposer(byte ballot) {
	byte count, best, value, b, v;
	value = ballot + 10;
	atomic { to[0]!prepare, ballot, 0, 0; to[1]!prepare, ballot, 0, 0 };
	do
	:: count < 2 ->
endpromise:	back[ballot - 1]?promise, _, b, v;
		if
		:: b > best -> best = b; value = v
		:: else
		fi;
		count++
	:: else -> break
	od;
	atomic { to[1]!accept, ballot, 0, value; to[2]!accept, ballot, 0, value };
	count = 0;
	do
	:: count < 2 ->
endaccepted:	back[ballot - 1]?accepted, _, _, v;
		count++
	:: else -> break
	od;
	assert(chosen == 0 || chosen == value);
	chosen = value
}

init {
	atomic {
		run Acceptor(0); run Acceptor(1); run Acceptor(2);
		run Proposer(1); run Proposer(2)
	}
}
