/* The same with a lock that is looked at first and taken then.
 * wrong: assertion violated
 * states 69
 */
bit locked;
byte inside;

active [2] proctype P() {
	locked == 0;
	locked = 1;
	inside++;
	assert(inside == 1);
	inside--;
	locked = 0
}
