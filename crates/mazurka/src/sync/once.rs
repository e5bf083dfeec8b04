//! Mirror of [`std::sync::Once`].
//!
//! A state that is read first, and a mutex that is held while the closure runs.

use crate::object::Object;
use model::{OpKind, Test};
use std::panic::Location;

const NEW: u64 = 0;
const POISONED: u64 = 1;
const DONE: u64 = 2;

/// Mirror of [`std::sync::Once`].
#[derive(Debug)]
pub struct Once {
    state: Object,
    running: Object,
}

/// Nothing was called yet.
#[deprecated = "the `Once::new()` function is now preferred"]
#[allow(clippy::declare_interior_mutable_const, reason = "as std's")]
pub const ONCE_INIT: Once = Once::new();

/// Mirror of [`std::sync::OnceState`].
#[derive(Debug)]
pub struct OnceState {
    poisoned: bool,
}

impl OnceState {
    /// Whether an earlier closure panicked.
    pub fn is_poisoned(&self) -> bool {
        self.poisoned
    }
}

fn show(state: u64) -> String {
    match state {
        NEW => "not done",
        POISONED => "poisoned",
        _ => "done",
    }
    .to_owned()
}

/// Gives the mutex back, and says what came of the closure.
struct Running<'a> {
    once: &'a Once,
    /// The state that is left; `None` when it stays as it is.
    left: Option<u64>,
    location: &'static Location<'static>,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some(left) = self.left {
            self.once.state.perform(OpKind::Write(left), self.location);
        }
        self.once.running.perform(OpKind::Unlock, self.location);
    }
}

impl Once {
    /// Nothing was called yet.
    #[track_caller]
    #[allow(clippy::new_without_default, reason = "std has none")]
    pub const fn new() -> Self {
        Once::of("Once", Location::caller())
    }

    pub(super) const fn of(type_name: &'static str, created: &'static Location<'static>) -> Self {
        let state = Object::of(type_name, created).shown(show);
        Once { state, running: Object::of(type_name, created) }
    }

    /// Calls `f`, unless that was done before; waits if another thread does it.
    #[track_caller]
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        self.call(false, |_| f(), Location::caller());
    }

    /// As [`Once::call_once`], also if an earlier closure panicked.
    #[track_caller]
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F) {
        self.call(true, f, Location::caller());
    }

    /// Whether a closure ran to its end.
    #[track_caller]
    pub fn is_completed(&self) -> bool {
        self.state.perform(OpKind::Read, Location::caller()).before() == DONE
    }

    /// Waits until a closure ran to its end. If one panics, this goes on waiting for another, where std's panics.
    #[track_caller]
    pub fn wait(&self) {
        self.wait_force();
    }

    /// Waits until a closure ran to its end; when one panicked, until another one did.
    #[track_caller]
    pub fn wait_force(&self) {
        self.state.perform(OpKind::Await(Test::Equal(DONE)), Location::caller());
    }

    pub(super) fn call(&self, force: bool, f: impl FnOnce(&OnceState), location: &'static Location<'static>) {
        if self.state.perform(OpKind::Read, location).before() == DONE {
            return;
        }
        self.running.perform(OpKind::Lock, location);
        let mut running = Running { once: self, left: None, location };
        let found = self.state.perform(OpKind::Read, location).before();
        if found == DONE {
            return;
        }
        assert!(force || found != POISONED, "Once instance has previously been poisoned");
        running.left = Some(POISONED);
        // Whoever comes first: what is created belongs to this object.
        fiber::initialise(self.state.id(|| NEW), || f(&OnceState { poisoned: found == POISONED }));
        running.left = Some(DONE);
    }
}
