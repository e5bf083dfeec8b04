/* The protocol of Needham and Schroeder with public keys: Bob may take an intruder for Alice, after Lowe.
 * wrong: assertion violated
 * states 109
 */
mtype = { alice, bob, intruder, none, nonce_a, nonce_b, nonce_i, msg1, msg2, msg3 };
/* the kind, whose key, and two fields */
chan network = [0] of { mtype, mtype, mtype, mtype };
mtype alice_partner = none, bob_partner = none;
bit alice_done, bob_done, knows_a, knows_b;

active proctype Alice() {
	mtype nonce;
	if
	:: alice_partner = bob
	:: alice_partner = intruder
	fi;
endfirst:	network!msg1, alice_partner, alice, nonce_a;
end:	network?msg2, alice, nonce_a, nonce;
endlast:	network!msg3, alice_partner, nonce, none;
	alice_done = 1
}

active proctype Bob() {
	mtype nonce;
end:	network?msg1, bob, bob_partner, nonce;
endanswer:	network!msg2, bob_partner, nonce, nonce_b;
endlast:	network?msg3, bob, nonce_b, none;
	bob_done = 1;
	assert(bob_partner != alice || alice_partner == bob)
}

active proctype Intruder() {
	mtype key, one, two;
	bit stored;
end:	do
	:: network?msg1, key, one, two ->
		if
		:: key == intruder && two == nonce_a -> knows_a = 1
		:: else
		fi
	:: network?msg2, key, one, two -> stored = 1
	:: network?msg3, key, one, _ ->
		if
		:: key == intruder && one == nonce_b -> knows_b = 1
		:: else
		fi
	:: knows_a ->
endone:		network!msg1, bob, alice, nonce_a
	:: stored && key == alice ->
endtwo:		network!msg2, alice, one, two;
		stored = 0
	:: knows_b ->
endthree:	network!msg3, bob, nonce_b, none
	od
}
