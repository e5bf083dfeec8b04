/* A server that is busy with one of its clients may never come to the other.
 * holds
 * wrong of claim second: acceptance cycle
 * wrong fairly of claim second: acceptance cycle
 * states 13
 */
chan request = [0] of { byte };
byte served[2];

active [2] proctype Client() {
end:	do
	:: request!_pid
	od
}

active proctype Server() {
	byte who;
end:	do
	:: request?who; served[who] = 1
	od
}

ltl second { eventually served[1] }
