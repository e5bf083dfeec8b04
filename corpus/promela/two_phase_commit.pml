/* Two-phase commit with a participant that may vote no.
 * holds
 * states 497
 */
mtype = { prepare, yes, no, commit, abort };
chan to[2] = [1] of { mtype };
chan votes = [2] of { mtype };
mtype decided[2];

active proctype Coordinator() {
	mtype vote;
	byte i, agreed;
	for (i : 0 .. 1) { to[i]!prepare }
	for (i : 0 .. 1) {
		votes?vote;
		if
		:: vote == yes -> agreed++
		:: else
		fi
	}
	for (i : 0 .. 1) {
		if
		:: agreed == 2 -> to[i]!commit
		:: else -> to[i]!abort
		fi
	}
}

active [2] proctype Participant() {
	mtype order;
	to[_pid - 1]?prepare;
	if
	:: votes!yes
	:: votes!no
	fi;
	to[_pid - 1]?order;
	decided[_pid - 1] = order;
	assert(decided[0] == 0 || decided[1] == 0 || decided[0] == decided[1])
}
