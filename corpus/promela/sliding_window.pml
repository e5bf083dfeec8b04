/* Frames with two numbers under way at once, over a channel that may lose them; each is given up in order.
 * holds
 * states 377
 */
#define FRAMES 4
#define MODULUS 4
mtype = { frame, ack };
chan forth = [2] of { mtype, byte };
chan back = [2] of { mtype, byte };

active proctype Sender() {
	byte base, next;
	byte n;
	do
	:: base == FRAMES -> break
	:: next < FRAMES && next < base + 2 -> forth!frame(next % MODULUS); next++
	:: back?ack(n);
		if
		:: n == (base + 1) % MODULUS -> base++
		:: n == (base + 2) % MODULUS && next == base + 2 -> base = base + 2
		:: else
		fi
	:: timeout -> next = base
	od
}

active proctype Receiver() {
	byte expected, n;
end:	do
	:: forth?frame(n);
		if
		:: n == expected % MODULUS -> expected++; assert(expected <= FRAMES)
		:: else
		fi;
		if
		:: back!ack(expected % MODULUS)
		:: full(back)
		fi
	:: forth?frame(_)
	od
}
