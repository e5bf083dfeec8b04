/* Readers and a writer, with a section that is one step.
 * holds
 * states 61
 */
byte readers, writers;

active [2] proctype Reader() {
	do
	:: d_step { writers == 0 -> readers++ };
	   assert(writers == 0);
	   readers--
	:: break
	od
}

active proctype Writer() {
	do
	:: atomic { readers == 0 && writers == 0 -> writers++ };
	   assert(readers == 0 && writers == 1);
	   writers--
	:: break
	od
}
