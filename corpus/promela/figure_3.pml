/* The paper's Fig. 3: p writes x or y, q writes y. {t2, t3} is a source set; every persistent set has all three.
 * holds
 * states 7
 */
byte x, y;

active proctype p() {
	if
	:: x = 1
	:: y = 1
	fi
}

active proctype q() { y = 2 }
