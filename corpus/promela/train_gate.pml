/* Two trains and a bridge with room for one; a controller stops those that come too late.
 * holds
 * states 85
 */
mtype = { appr, stop, go, leave };
chan signal = [0] of { mtype, byte };
chan order[2] = [0] of { mtype };
byte on_bridge;

active [2] proctype Train() {
end:	do
	:: signal!appr, _pid;
		order[_pid]?go;
		on_bridge++;
		assert(on_bridge == 1);
		on_bridge--;
		signal!leave, _pid
	od
}

active proctype Controller() {
	byte train, waiting, occupied;
	chan queue = [2] of { byte };
end:	do
	:: signal?appr, train; queue!train
	:: occupied == 0 && nempty(queue) -> queue?waiting; order[waiting]!go; occupied = 1
	:: signal?leave, train; occupied = 0
	od
}
