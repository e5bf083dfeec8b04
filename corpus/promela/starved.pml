/* One of two may wait for ever for the other, unless the scheduler is fair.
 * wrong of claim served: acceptance cycle
 * holds fairly of claim served
 * states 6
 */
bit served_once;

active proctype Busy() {
	bit round;
end:	do
	:: round = 1 - round
	od
}

active proctype Patient() { served_once = 1 }

ltl served { eventually served_once }
