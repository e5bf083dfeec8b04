//! Mirror of [`std::hint`].

pub use std::hint::{assert_unchecked, black_box, unreachable_unchecked};
use std::panic::Location;

/// Says that the thread spins: it goes on when something that it looked at has changed.
#[track_caller]
pub fn spin_loop() {
    fiber::spin(Location::caller());
}
