/* Three processes and a lock that is taken in one step.
 * holds
 * states 13
 */
bit locked;
byte inside;

active [3] proctype P() {
end:	do
	:: atomic { locked == 0 -> locked = 1 };
		inside++;
		assert(inside == 1);
		inside--;
		locked = 0
	od
}
