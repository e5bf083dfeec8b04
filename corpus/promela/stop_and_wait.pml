/* Without a number on messages, one that was sent twice is taken twice.
 * wrong: assertion violated
 * states 5377
 */
#define MESSAGES 2
chan forth = [1] of { byte };
chan back = [1] of { bit };
byte taken;

active proctype Sender() {
	byte n;
	do
	:: n < MESSAGES ->
again:		forth!n;
		if
		:: back?1; n++
		:: timeout -> goto again
		fi
	:: else -> break
	od
}

active proctype Receiver() {
	byte n;
end:	do
	:: forth?n; assert(n == taken); taken++;
		if
		:: back!1
		:: skip
		fi
	od
}
