/* One looks at where another stands, and at its variable.
 * holds
 * states 15
 */
byte done;

active proctype Worker() {
	byte n;
	do
	:: n < 3 -> n++
	:: else -> break
	od;
ready:	done == 1
}

active proctype Watcher() {
	Worker@ready -> assert(Worker:n == 3);
	done = 1
}
