/* The paper's Fig. 4: each reads a variable, and writes another one's if it was not written itself.
 * holds
 * states 64
 */
byte x, y, z;

active proctype p() {
	if
	:: x == 0 -> z = 1
	:: else
	fi
}

active proctype q() {
	if
	:: y == 0 -> x = 1
	:: else
	fi
}

active proctype r() {
	if
	:: z == 0 -> y = 1
	:: else
	fi
}
