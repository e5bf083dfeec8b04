/* Work that is left when a signal comes, and inlines, selects and polls.
 * holds
 * states 260
 */
bit stop;
byte done, picked;
chan c = [2] of { byte };

inline twice(x) { x = x + 1; x = x + 1 }

active proctype Worker() {
	{
		do
		:: done < 6 -> twice(done)
		:: done >= 6 -> break
		od
	} unless {
		stop -> skip
	};
	select (picked : 1 .. 3);
	c!picked;
	if
	:: c?[2] -> assert(picked == 2)
	:: else -> assert(picked != 2)
	fi
}

active proctype Signal() { stop = 1 }
