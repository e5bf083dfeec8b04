//! Weak memory in Rust.

mod litmus;
