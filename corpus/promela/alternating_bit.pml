/* The alternating bit protocol over a channel that loses messages.
 * holds
 * states 18
 */
mtype = { data, ack };
chan forth = [1] of { mtype, bit };
chan back = [1] of { mtype, bit };

active proctype Sender() {
	bit seq;
	do
	:: forth!data, seq;
	   if
	   :: back?ack, eval(seq) -> seq = 1 - seq
	   :: back?ack, eval(1 - seq)
	   :: timeout
	   fi
	od
}

active proctype Receiver() {
	bit got, expected;
	do
	:: forth?data, got;
	   if
	   :: got == expected -> expected = 1 - expected
	   :: else
	   fi;
	   back!ack, got
	:: forth?data, got /* lost */
	od
}
