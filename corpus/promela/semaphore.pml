/* A semaphore for two: as many tokens in a channel.
 * holds
 * states 280
 */
chan tokens = [2] of { bit };
byte inside;

active proctype Start() {
	tokens!1;
	tokens!1
}

active [3] proctype User() {
	tokens?1;
	inside++;
	assert(inside <= 2);
	inside--;
	tokens!1
}
