//! `mazurka check` on the C and C++ programs of `crates/c/tests/programs`, by every compiler that is installed.
//!
//! What a program must come out as is written in its head: see [`head`].

mod agreement;
mod arbitrary;
mod campaign;
mod checking;
mod checkpoints;
mod corpus;
mod estimates;
mod head;
mod literature;
mod many;
mod matrix;
mod memory;
mod outside;
mod parallel;
mod reports;
mod states;
mod verdict;
mod verdicts;
mod workers;
