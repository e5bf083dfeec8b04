/* Two who vote and one who counts; a vote that is lost is asked for again.
 * holds
 * states 67
 */
mtype = { ask, yes };
chan question[2] = [1] of { mtype };
chan answer = [2] of { mtype, byte };
byte votes;

active [2] proctype Voter() {
end:	do
	:: question[_pid]?ask; answer!yes, _pid
	od
}

active proctype Counter() {
	bit has[2];
	byte who;
	question[0]!ask;
	question[1]!ask;
	do
	:: votes < 2 -> answer?yes, who;
		if
		:: has[who] -> skip
		:: else -> has[who] = 1; votes++
		fi
	:: else -> break
	od;
	assert(votes == 2)
}
