/* Who goes to sleep after looking may miss the one signal.
 * wrong: invalid end state
 * states 22
 */
bit ready, asleep;

active proctype Sleeper() {
	if
	:: ready -> skip
	:: !ready -> asleep = 1; asleep == 0
	fi
}

active proctype Waker() {
	ready = 1;
	if
	:: asleep -> asleep = 0
	:: else
	fi
}
