/* An elevator between three floors; doors are shut while it moves, and who called is served.
 * holds
 * holds of claim served
 * states 96
 */
#define TOP 2
bit called[3];
bit open;
byte floor;

active proctype Elevator() {
	byte goal;
end:	do
	:: called[0] && floor != 0 -> goal = 0; goto move
	:: called[1] && floor != 1 -> goal = 1; goto move
	:: called[2] && floor != 2 -> goal = 2; goto move
	:: called[floor] -> goto stop
	od;
move:	do
	:: floor < goal -> assert(!open); floor++
	:: floor > goal -> assert(!open); floor--
	:: floor == goal -> break
	od;
stop:	open = 1;
	called[floor] = 0;
	open = 0;
	goto end
}

active proctype Caller() {
	called[2] = 1;
	called[0] = 1
}

ltl served { always ((called[2] && floor != 2) implies eventually (floor == 2 || !called[2])) }
