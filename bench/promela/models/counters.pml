/* Processes that add to shared numbers of four bytes, each in two steps. */
#ifndef N
#define N 4
#endif
#ifndef TIMES
#define TIMES 2
#endif
int sum[N];
short total;

active [N] proctype Adder() {
	int mine;
	byte i;
	for (i : 1 .. TIMES) {
		mine = sum[(_pid + i) % N];
		sum[(_pid + i) % N] = mine + i;
		total = total + 1
	}
	assert(total <= N * TIMES)
}
