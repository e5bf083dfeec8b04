//! Whether a thread panicked while it held a lock.

use fiber::Guarded;
use std::sync::atomic::{AtomicBool, Ordering};

/// Both are one byte.
#[derive(Debug)]
#[repr(C)]
struct Panics {
    /// Whether one did.
    poisoned: AtomicBool,
    /// Whether the thread that holds the lock panicked already when it took it.
    panicked_before: AtomicBool,
}

#[derive(Debug)]
pub(crate) struct Poison(Guarded<Panics>);

impl Poison {
    pub(crate) const fn new() -> Self {
        Poison(Guarded::new(Panics { poisoned: AtomicBool::new(false), panicked_before: AtomicBool::new(false) }))
    }

    #[allow(unsafe_code, reason = "what is there is shared")]
    fn panics(&self) -> &Panics {
        // SAFETY: all that is there is atomics.
        unsafe { &*self.0.as_ptr() }
    }

    pub(crate) fn get(&self) -> bool {
        self.panics().poisoned.load(Ordering::Relaxed)
    }

    /// Where that is.
    pub(crate) fn place(&self) -> *const u8 {
        self.0.place().0
    }

    pub(crate) fn set(&self, poisoned: bool) {
        self.panics().poisoned.store(poisoned, Ordering::Relaxed);
    }

    /// Before exclusive access: remembers whether the thread panics already.
    pub(crate) fn begin(&self) {
        self.panics().panicked_before.store(fiber::is_panicking(), Ordering::Relaxed);
    }

    /// After exclusive access.
    pub(crate) fn end(&self) {
        if !self.panics().panicked_before.load(Ordering::Relaxed) && !fiber::abandoned() && fiber::is_panicking() {
            self.set(true);
        }
    }
}
