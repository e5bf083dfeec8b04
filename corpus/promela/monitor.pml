/* A bounded buffer: one puts, one takes, and each waits for the other by a condition.
 * holds
 * states 131
 */
#define SIZE 2
#define ROUNDS 4
byte count, taken;

active proctype Producer() {
	byte n;
	do
	:: n < ROUNDS -> atomic { count < SIZE -> count++ }; n++
	:: else -> break
	od
}

active proctype Consumer() {
	byte n;
	do
	:: n < ROUNDS -> atomic { count > 0 -> count-- }; taken++; n++
	:: else -> break
	od;
	assert(taken == ROUNDS)
}
