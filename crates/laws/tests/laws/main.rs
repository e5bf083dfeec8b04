//! The laws, on the corpus, on arbitrary programs, and on searches that are stopped, bounded or shared by workers. One
//! program of tests: linking is most of the work of building one.

mod arbitrary;
mod bounded;
mod checkpoints;
mod commute;
mod commute_messages;
mod corpus;
mod counts;
mod cutoffs;
mod loops;
mod states;
mod workers;
