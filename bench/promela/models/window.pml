/* Frames with several numbers under way at once, over channels that may lose them. */
#ifndef FRAMES
#define FRAMES 100
#endif
#ifndef ROOM
#define ROOM 5
#endif
#define WINDOW 5
#define MODULUS 16
mtype = { frame, ack };
chan forth = [ROOM] of { mtype, byte };
chan back = [ROOM] of { mtype, byte };

active proctype Sender() {
	byte base, next;
	byte n;
	do
	:: base >= FRAMES -> break
	:: next < FRAMES && next < base + WINDOW -> forth!frame(next % MODULUS); next++
	:: back?ack(n);
		if
		:: n == (base + 1) % MODULUS -> base++
		:: n == (base + 2) % MODULUS -> base = base + 2
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
