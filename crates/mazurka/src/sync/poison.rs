//! Whether a thread panicked while it held a lock.

use fiber::Guarded;
use std::cell::Cell;

/// Both are one byte.
#[derive(Debug)]
#[repr(C)]
struct Panics {
    /// Whether one did.
    poisoned: Cell<bool>,
    /// Whether the thread that holds the lock panicked already when it took it.
    panicked_before: Cell<bool>,
}

#[derive(Debug)]
pub(crate) struct Poison(Guarded<Panics>);

impl Poison {
    pub(crate) const fn new() -> Self {
        Poison(Guarded::new(Panics { poisoned: Cell::new(false), panicked_before: Cell::new(false) }))
    }

    #[allow(unsafe_code, reason = "threads take turns at it")]
    fn panics(&self) -> &Panics {
        // SAFETY: threads of a run take turns; all that is there is cells.
        unsafe { &*self.0.as_ptr() }
    }

    pub(crate) fn get(&self) -> bool {
        self.panics().poisoned.get()
    }

    /// Where that is.
    pub(crate) fn place(&self) -> *const u8 {
        self.0.place().0
    }

    pub(crate) fn set(&self, poisoned: bool) {
        self.panics().poisoned.set(poisoned);
    }

    /// Before exclusive access: remembers whether the thread panics already.
    pub(crate) fn begin(&self) {
        self.panics().panicked_before.set(fiber::is_panicking());
    }

    /// After exclusive access.
    pub(crate) fn end(&self) {
        if !self.panics().panicked_before.get() && !fiber::abandoned() && fiber::is_panicking() {
            self.set(true);
        }
    }
}
