/* Three caches that keep a line as modified, shared or invalid, with a bus that one has at a time.
 * holds
 * states 11
 */
#define N 3
mtype = { modified, shared, invalid };
mtype line[N] = invalid;

#define OTHERS_INVALID (line[(_pid + 1) % N] == invalid && line[(_pid + 2) % N] == invalid)

active [N] proctype Cache() {
end:	do
	:: atomic { line[_pid] == invalid ->
		if
		:: line[(_pid + 1) % N] == modified -> line[(_pid + 1) % N] = shared
		:: else
		fi;
		if
		:: line[(_pid + 2) % N] == modified -> line[(_pid + 2) % N] = shared
		:: else
		fi;
		line[_pid] = shared }
	:: atomic { line[_pid] != modified ->
		line[(_pid + 1) % N] = invalid;
		line[(_pid + 2) % N] = invalid;
		line[_pid] = modified }
	:: d_step { line[_pid] == modified -> assert(line[_pid] != modified || OTHERS_INVALID) }
	:: d_step { line[_pid] == shared -> line[_pid] = invalid }
	od
}
