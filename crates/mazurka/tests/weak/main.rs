//! Weak memory in Rust.

mod algorithms;
mod law;
mod outcomes;
mod structures;
