//! A model as a program: for the algorithms that explore executions, not states.
//!
//! A process is a thread, and what it can do in a control state are its transitions. A step touches *cells*
//! ([`cells`]): what it reads, on every way that decides what it does (`watch`), and what it writes (`act`). Two steps whose cells
//! have nothing in common of which one is written commute.
//!
//! What may make a step more than a statement of one process:
//! - a rendezvous is one step of two processes; it is a transition of the sender, and its number says with whom (`numbers`);
//! - the statements of an `atomic` are one step as far as there is one way to go on. Where there are several, the process holds all
//!   others up, and the next step is its own;
//! - `else`, `timeout`, `unless`, `provided` and `enabled` look at what other transitions wait for, and read all that decides on it.

mod act;
mod cells;
mod names;
mod numbers;
mod program;
mod ready;
mod run;
#[cfg(test)]
mod tests;
mod watch;
mod whole;

pub use program::{ModelProgram, Unfit};
