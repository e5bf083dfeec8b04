/* Two processes that draw numbers, after Lamport's bakery; numbers are small, for both leave now and then.
 * holds
 * states 187
 */
#define LAST 3
byte number[2];
bit choosing[2];
byte inside;

active [2] proctype P() {
	bit other = 1 - _pid;
end:	do
	:: number[other] < LAST;
		choosing[_pid] = 1;
		number[_pid] = number[other] + 1;
		choosing[_pid] = 0;
		choosing[other] == 0;
		number[other] == 0 || number[_pid] < number[other] || (number[_pid] == number[other] && _pid < other);
		inside++;
		assert(inside == 1);
		inside--;
		number[_pid] = 0
	od
}
