/* Frames with several numbers under way at once, over channels that may lose them. */
#ifndef FRAMES
#define FRAMES 60
#endif
#ifndef ROOM
#define ROOM 4
#endif
#define MODULUS 8
mtype = { frame, ack };
chan forth = [ROOM] of { mtype, byte };
chan back = [ROOM] of { mtype, byte };

active proctype Sender() {
	byte base, next;
	byte n;
	do
	:: base >= FRAMES -> break
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
		:: n == expected % MODULUS -> expected++
		:: else
		fi;
		if
		:: back!ack(expected % MODULUS)
		:: full(back)
		fi
	:: forth?frame(_)
	od
}
