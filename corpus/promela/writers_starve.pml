/* A writer that waits until nobody reads may wait for ever, fair or not.
 * holds
 * wrong of claim writes: acceptance cycle
 * wrong fairly of claim writes: acceptance cycle
 * states 12
 */
byte readers;
bit written;

active [2] proctype Reader() {
end:	do
	:: readers++; readers--
	od
}

active proctype Writer() {
	atomic { readers == 0 -> written = 1 }
}

ltl writes { eventually written }
