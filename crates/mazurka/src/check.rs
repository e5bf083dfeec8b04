//! Checking: the search, its settings, and what it found.

mod checker;
#[cfg(feature = "cluster")]
mod cluster;
mod environment;
mod found;
mod learning;
mod memory;
mod page;
mod text;

pub use checker::Checker;
pub use explore::Limit;
pub use found::{Finding, FindingKind, Report};

use model::{ObjectId, OpKind};
use std::panic::Location;

/// Runs `f` under every order of its operations that can matter, and panics with a report if one of them fails.
///
/// Settings are taken from the environment: see [`Checker::from_env`].
#[track_caller]
pub fn check<F: Fn() + Sync + Send + 'static>(f: F) {
    Checker::from_env().assert(f);
}

/// A number below `n`: every one is explored.
///
/// # Panics
/// If `n` is 0.
#[track_caller]
pub fn choose(n: usize) -> usize {
    assert!(n > 0, "there is nothing to choose from");
    let kind = OpKind::Choose(u32::try_from(n).expect("fewer alternatives"));
    fiber::perform(kind, ObjectId::NONE, Location::caller()).alternative() as usize
}

/// Gives this execution up, without a finding, if the condition does not hold.
pub fn assume(condition: bool) {
    fiber::assume(condition);
}

/// Gives this execution up, without a finding.
pub fn stop_exploring_here() {
    assume(false);
}
