/* One of two who take turns by a flag may wait for ever, unless the scheduler is fair.
 * wrong of claim served: acceptance cycle
 * holds fairly of claim served
 */
bit served_once;

active proctype Busy() {
end:	do
	:: skip
	od
}

active proctype Patient() { served_once = 1 }

ltl served { eventually served_once }
