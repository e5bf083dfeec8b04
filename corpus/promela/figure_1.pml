/* The paper's Fig. 1: one writes x, two read something else and then x.
 * holds
 * states 56
 */
byte x, y, z;
byte seen[2];

active proctype p() { x = 1 }
active proctype q() { seen[0] = y; seen[0] = x }
active proctype r() { seen[1] = z; seen[1] = x; assert(seen[0] + seen[1] <= 2) }
