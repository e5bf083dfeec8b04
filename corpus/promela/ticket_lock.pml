/* Tickets in the order of arrival; each is served once.
 * holds
 * states 200
 */
#define N 3
byte next, serving, inside;

active [N] proctype P() {
	byte mine;
	d_step { mine = next; next++ };
	serving == mine;
	inside++;
	assert(inside == 1);
	inside--;
	serving++
}
