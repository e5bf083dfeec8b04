/* Two lights that are never green at once, and each of them is again and again.
 * holds
 * holds of claim safe
 * holds fairly of claim first_again
 * states 8
 */
mtype = { red, green };
mtype light[2] = red;
bit turn;

active [2] proctype Light() {
end:	do
	:: turn == _pid -> light[_pid] = green; light[_pid] = red; turn = 1 - _pid
	od
}

ltl safe { always !(light[0] == green && light[1] == green) }
ltl first_again { always eventually (light[0] == green) }
