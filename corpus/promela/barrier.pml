/* Three meet again and again; nobody is a round ahead.
 * holds
 * states 561
 */
#define N 3
#define ROUNDS 2
byte arrived, round[N];
bit sense;

active [N] proctype P() {
	bit mine;
	do
	:: round[_pid] < ROUNDS ->
		mine = 1 - mine;
		atomic {
			arrived++;
			if
			:: arrived == N -> arrived = 0; sense = mine
			:: else
			fi
		};
		sense == mine;
		round[_pid]++;
		assert(round[_pid] <= round[(_pid + 1) % N] + 1)
	:: else -> break
	od
}
