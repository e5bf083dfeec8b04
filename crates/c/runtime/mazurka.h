/* What a program can tell the checker. Everything is optional: programs are checked as they are. */
#ifndef MAZURKA_H
#define MAZURKA_H

#ifdef __cplusplus
extern "C" {
#endif

/* A number below `alternatives`: every one is explored. */
unsigned mzk_choose(unsigned alternatives);

/* Gives this execution up, without a finding, if the condition is 0. */
void mzk_assume(int condition);

/* A failure if the condition is 0. */
void mzk_assert(int condition);

/* What reports call the variable or object at this address. */
void mzk_name(const void *address, const char *name);

#ifdef __cplusplus
}
#endif

#endif
