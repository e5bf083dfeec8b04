//! What a check finds, proves and counts, of each kind of thing that a program can use. One program of tests: linking is
//! most of the work of building one. Tests that look at a process from outside, or at its
//! memory, are beside this folder.

mod abandoned;
mod actors;
mod adversaries;
mod barriers;
mod common;
mod control;
mod corpus;
mod corpus_sections;
mod corpus_small;
mod deep;
mod findings;
mod futures;
mod laws;
mod loop_laws;
mod loops;
mod mirror;
mod newer;
mod polling;
mod references;
mod retry;
mod sights;
mod threads;
mod waiting;
